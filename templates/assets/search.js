// The search page with a script: results while one types, and what the keyboard does. Without it
// the page is a plain form and plain links; both ask the same URLs. Suggestions: suggest.js.
// biome-ignore lint/suspicious/noRedundantUseStrict: a classic script, not a module
"use strict";

/** The fragment behind a URL; null when no answer came, `isPage` when it is no fragment. */
async function askFragment(url, signal) {
  const headers = { "HX-Request": "true", "HX-Request-Type": "partial" };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(15_000)]);
    const response = await fetch(url, { headers, signal: limit });
    const html = await response.text();
    const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
    return { html, isPage: !isHtml || /^<!doctype/i.test(html) };
  } catch {
    return null;
  }
}

{
  const TYPING_MS = 180;
  /** Above it a server refuses the request before any page can be made of it. */
  const URL_MAX = 14000;

  const form = document.getElementById("search");
  const input = form.elements.q;
  const results = document.getElementById("results");
  const announcer = document.getElementById("announce");

  // --- results: the last request wins, the URL holds the whole state ---------------------------

  const keyOf = ({ pathname, search }) => pathname + search;

  let shown = keyOf(location);
  let loading = new AbortController();
  let typingTimer = 0;
  // One place in the history per stretch of typing: "back" leads to what stood there before it.
  let isTyping = false;

  /** What is on its way belongs to an address that was left. */
  function rest() {
    clearTimeout(typingTimer);
    loading.abort();
    results.removeAttribute("aria-busy");
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
    const answer = await askFragment(url, signal);
    if (signal.aborted) return;
    results.removeAttribute("aria-busy");
    if (answer === null) return announce(form.dataset.offline, true);
    if (answer.isPage) {
      // The server would not read it, and the browser has no page for that.
      if (url.href.length > URL_MAX) return announce(form.dataset.tooLong, true);
      return location.assign(url);
    }
    shown = keyOf(url);
    results.innerHTML = answer.html;
    const { title, announce: words } = results.firstElementChild?.dataset ?? {};
    if (title) document.title = title;
    announce(words ?? "", false);
    after();
  }

  function announce(text, isVisible) {
    announcer.classList.toggle("visually-hidden", !isVisible);
    announcer.textContent = text;
  }

  /** The URL for the words in the field: filters stay, the page does not; no words lead home. */
  function urlOfField() {
    // A script or an input method may put more into the field than a hand can.
    const words = input.value.trim().slice(0, input.maxLength);
    if (words === "") return new URL("/", location.href);
    const url = new URL("/search", location.href);
    url.search = location.search;
    url.searchParams.delete("page");
    url.searchParams.set("q", words.toWellFormed());
    return url;
  }

  function searchTyped() {
    const url = urlOfField();
    if (keyOf(url) === shown && keyOf(url) === keyOf(location)) return rest();
    load(url, isTyping ? "replace" : "push");
    isTyping = true;
  }

  input.addEventListener("input", (event) => {
    if (event.isComposing) return;
    clearTimeout(typingTimer);
    typingTimer = setTimeout(searchTyped, TYPING_MS);
  });
  input.addEventListener("compositionend", () => input.dispatchEvent(new Event("input")));

  addEventListener("popstate", () => {
    isTyping = false;
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    if (keyOf(location) === shown) return rest();
    load(new URL(location.href), "stay");
  });

  // --- links and forms that only change the results ---------------------------------------------

  function showResults() {
    results.focus({ preventScroll: true });
    if (results.getBoundingClientRect().top < 0) scrollTo({ top: 0 });
  }

  function follow(url) {
    isTyping = false;
    input.value = url.searchParams.get("q") ?? input.value;
    load(url, "push", showResults);
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
      isTyping = false;
      // The keyboard of a touch screen would cover the results.
      if (matchMedia("(pointer: coarse)").matches) input.blur();
      return load(urlOfField(), "push");
    }
    if (!event.target.matches("form[data-live]")) return;
    event.preventDefault();
    const url = new URL(event.target.action);
    for (const [name, value] of new FormData(event.target)) {
      if (value !== "") url.searchParams.append(name, value);
    }
    follow(url);
  });

  // --- keyboard ----------------------------------------------------------------------------------

  const titles = () => [...results.querySelectorAll(".hit-title a")];

  document.addEventListener("keydown", (event) => {
    // What the list of suggestions took is prevented already.
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.isComposing) return;
    if (event.key === "/" && !event.target.matches("input, select, textarea")) {
      event.preventDefault();
      input.focus();
      return input.select();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const places = [input, ...titles()];
    const at = places.indexOf(event.target);
    const next = step && at >= 0 ? places[at + step] : undefined;
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // --- the reader's own choice of hosts, in a cookie so that the page arrives as wished ----------

  const CHOICES_MAX = 60;

  function choose(host, choice) {
    const kept = readChoices().filter((entry) => entry.slice(1) !== host);
    const sign = { block: "-", raise: "+" }[choice];
    if (sign) kept.push(sign + host);
    const value = kept.slice(-CHOICES_MAX).join("|");
    // biome-ignore lint/suspicious/noDocumentCookie: too few browsers have the Cookie Store API
    document.cookie = `trawl_hosts=${value}; path=/; max-age=31536000; samesite=lax`;
    load(new URL(location.href), "stay", showResults);
  }

  function readChoices() {
    const pair = document.cookie.split("; ").find((each) => each.startsWith("trawl_hosts="));
    return (pair ?? "").slice("trawl_hosts=".length).split("|").filter(Boolean);
  }
}
