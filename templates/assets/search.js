// The search page with a script: results while one types, suggestions, keyboard, own choice of
// hosts. Without it the page is a plain form and plain links; both ask the same URLs.
(() => {
  const TYPING_MS = 180;
  const TIMEOUT_MS = 15_000;
  const CHOICES_MAX = 60;
  const FRAGMENT = { "HX-Request": "true", "HX-Request-Type": "partial" };

  const form = document.getElementById("search");
  if (!form) return;
  const input = form.elements.q;
  const list = document.getElementById("suggestions");
  const results = document.getElementById("results");
  const announcer = document.getElementById("announce");

  // --- results: the last request wins, the URL holds the whole state ---------------------------

  let shown = keyOf(location);
  let loading = new AbortController();
  let typingTimer = 0;

  function keyOf({ pathname, search }) {
    return pathname + search;
  }

  /** `how`: "push" a new place in the history, "replace" the current one, or "stay". */
  async function load(url, how, after = () => {}) {
    clearTimeout(typingTimer);
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    if (how === "push" && keyOf(url) !== keyOf(location)) history.pushState(null, "", url);
    if (how === "replace") history.replaceState(history.state, "", url);
    results.setAttribute("aria-busy", "true");
    const answer = await ask(url, signal);
    if (signal.aborted) return;
    results.removeAttribute("aria-busy");
    if (answer === null) return announce(form.dataset.offline, true);
    if (answer.isPage) return location.assign(url);
    shown = keyOf(url);
    results.innerHTML = answer.html;
    const { title, announce: words } = results.firstElementChild?.dataset ?? {};
    if (title) document.title = title;
    announce(words ?? "", false);
    after();
  }

  /** The fragment behind a URL; null when no answer came. */
  async function ask(url, signal) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(url, { headers: FRAGMENT, signal: limit });
      const html = await response.text();
      const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
      return { html, isPage: !isHtml || /^<!doctype/i.test(html) };
    } catch {
      return null;
    }
  }

  function announce(text, isVisible) {
    announcer.classList.toggle("visually-hidden", !isVisible);
    announcer.textContent = text;
  }

  /** The URL for the words in the field: filters stay, the page does not; no words lead home. */
  function urlOfField() {
    const words = input.value.trim();
    if (words === "") return new URL("/", location.href);
    const url = new URL("/search", location.href);
    url.search = location.search;
    url.searchParams.delete("page");
    url.searchParams.set("q", words);
    return url;
  }

  // One place in the history per stretch of typing: "back" leads to what stood there before it.
  let isTyping = false;

  function search(how) {
    const url = urlOfField();
    if (how === "push") isTyping = false;
    else if (keyOf(url) === shown && keyOf(url) === keyOf(location)) return loading.abort();
    load(url, how === "push" || !isTyping ? "push" : "replace");
    if (how === "typed") isTyping = true;
  }

  addEventListener("popstate", () => {
    if (keyOf(location) === shown) return;
    isTyping = false;
    closeList();
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    load(new URL(location.href), "stay");
  });

  // --- links and forms that only change the results ---------------------------------------------

  function follow(url) {
    isTyping = false;
    input.value = url.searchParams.get("q") ?? input.value;
    load(url, "push", () => {
      results.focus({ preventScroll: true });
      if (results.getBoundingClientRect().top < 0) scrollTo({ top: 0 });
    });
  }

  document.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-choice]");
    if (choice) return choose(choice.dataset.host, choice.dataset.choice);
    const link = event.target.closest("a[data-live]");
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.button !== 0) return;
    event.preventDefault();
    follow(new URL(link.href));
  });

  document.addEventListener("submit", (event) => {
    if (event.target === form) {
      event.preventDefault();
      closeList();
      if (matchMedia("(pointer: coarse)").matches) input.blur();
      return search("push");
    }
    if (!event.target.matches("form[data-live]")) return;
    event.preventDefault();
    const url = new URL(event.target.action);
    for (const [name, value] of new FormData(event.target)) {
      if (value !== "") url.searchParams.append(name, value);
    }
    follow(url);
  });

  // --- suggestions: a combobox with a listbox ----------------------------------------------------

  let suggesting = new AbortController();
  let active = -1;

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", "suggestions");
  input.setAttribute("aria-expanded", "false");

  async function suggest() {
    suggesting.abort();
    suggesting = new AbortController();
    const { signal } = suggesting;
    const words = input.value.trim();
    if (words === "") return closeList();
    const answer = await ask(`/suggest?${new URLSearchParams({ q: words })}`, signal);
    if (signal.aborted || document.activeElement !== input) return;
    if (answer === null || answer.isPage) return closeList();
    list.innerHTML = answer.html;
    activate(-1);
    const isOpen = list.querySelector("[role=option]") !== null;
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
  }

  function closeList() {
    suggesting.abort();
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    activate(-1);
  }

  function activate(index) {
    active = index;
    input.removeAttribute("aria-activedescendant");
    [...list.children].forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === index));
      if (at !== index) return;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    });
  }

  function take(option) {
    closeList();
    if (option.dataset.href) return location.assign(option.dataset.href);
    input.value = option.dataset.words;
    search("push");
  }

  input.addEventListener("input", (event) => {
    if (event.isComposing) return;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => {
      search("typed");
      suggest();
    }, TYPING_MS);
  });
  input.addEventListener("compositionend", () => input.dispatchEvent(new Event("input")));
  input.addEventListener("blur", closeList);
  // Pressing an option must not take the focus from the field, which would close the list first.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });

  // --- keyboard ----------------------------------------------------------------------------------

  input.addEventListener("keydown", (event) => {
    const options = list.children.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (step && options > 0) {
      event.preventDefault();
      // The place after the last option is the field itself, as is the one before the first.
      activate(((active + 1 + step + options + 1) % (options + 1)) - 1);
    } else if (step === 1) {
      event.preventDefault();
      titles()[0]?.focus();
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      take(list.children[active]);
    } else if (event.key === "Escape" && options > 0) {
      event.preventDefault();
      closeList();
    }
  });

  const titles = () => [...results.querySelectorAll(".hit-title a")];

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "/" && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      input.focus();
      return input.select();
    }
    const at = titles().indexOf(event.target);
    if (at < 0) return;
    if (event.key === "ArrowDown") titles()[at + 1]?.focus();
    else if (event.key === "ArrowUp") (titles()[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });

  // --- the reader's own choice of hosts, in a cookie so that the page arrives as wished ----------

  function choose(host, choice) {
    const kept = readChoices().filter((entry) => entry.slice(1) !== host);
    const sign = { block: "-", raise: "+" }[choice];
    if (sign) kept.push(sign + host);
    const value = kept.slice(-CHOICES_MAX).join("|");
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in too many browsers
    document.cookie = `trawl_hosts=${value}; path=/; max-age=31536000; samesite=lax`;
    load(new URL(location.href), "stay", () => results.focus({ preventScroll: true }));
  }

  function readChoices() {
    const pair = document.cookie.split("; ").find((each) => each.startsWith("trawl_hosts="));
    return (pair ?? "").slice("trawl_hosts=".length).split("|").filter(Boolean);
  }
})();
