// The search page with a script: results while one types, and what the keyboard does. Without it
// the page is a plain form and plain links; both ask the same URLs. Suggestions: suggest.js.
// biome-ignore lint/suspicious/noRedundantUseStrict: a classic script, not a module
"use strict";

/**
 * The fragment behind a URL; null when no answer came, `isPage` when it is no fragment. `waitS`:
 * the server cannot answer now and may be asked again after so long.
 */
async function askFragment(url, signal) {
  const headers = { "HX-Request": "true", "HX-Request-Type": "partial" };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(15_000)]);
    const response = await fetch(url, { headers, signal: limit });
    const html = await response.text();
    const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
    const isLater = [429, 502, 503, 504].includes(response.status);
    const waitS = isLater ? Number(response.headers.get("retry-after")) || 5 : 0;
    return { html, isPage: !isHtml || /^<!doctype/i.test(html), waitS };
  } catch {
    return null;
  }
}

{
  const TYPING_MS = 180;
  /** Above it a server refuses the request before any page can be made of it. */
  const URL_MAX = 14000;
  /** Between two tries of the page itself; each waits twice as long as the one before. */
  const RETRY_S = 2;
  const RETRY_MAX_S = 60;

  const form = document.getElementById("search");
  const input = form.elements.q;
  const results = document.getElementById("results");
  const announcer = document.getElementById("announce");
  const trouble = document.getElementById("trouble");

  // --- results: the last request wins, the URL holds the whole state ---------------------------

  const keyOf = ({ pathname, search }) => pathname + search;

  let shown = keyOf(location);
  let loading = new AbortController();
  let typingTimer = 0;
  let retryTimer = 0;
  let retries = 0;
  // One place in the history per stretch of typing: "back" leads to what stood there before it.
  let isTyping = false;

  /** What is on its way belongs to an address that was left. */
  function rest() {
    clearTimeout(typingTimer);
    clearTimeout(retryTimer);
    loading.abort();
    results.removeAttribute("aria-busy");
    // What was said of the address that was left is over with it.
    if (trouble.textContent !== "") announce("", false);
  }

  /** Asks again for what the address says, until it comes or something else is asked for. */
  function retryLater(seconds, why) {
    announce(why, true);
    const waitS = Math.max(seconds, Math.min(RETRY_S * 2 ** retries, RETRY_MAX_S));
    retries += 1;
    retryTimer = setTimeout(retry, waitS * 1000);
  }

  function retry() {
    // Nobody looks: asked again once somebody does.
    if (document.hidden)
      return document.addEventListener("visibilitychange", retry, { once: true });
    if (retries > 0) load(new URL(location.href), "stay");
  }

  /** `how`: "push" a new place in the history, "replace" the current one, or "stay". */
  async function load(url, how, after = () => {}) {
    clearTimeout(typingTimer);
    clearTimeout(retryTimer);
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    if (how === "push" && keyOf(url) !== keyOf(location)) history.pushState(null, "", url);
    if (how === "replace") history.replaceState(history.state, "", url);
    results.setAttribute("aria-busy", "true");
    const answer = await askFragment(url, signal);
    if (signal.aborted) return;
    results.removeAttribute("aria-busy");
    if (answer === null) return retryLater(0, form.dataset.offline);
    if (answer.isPage) {
      // The server would not read it, and the browser has no page for that.
      if (url.href.length > URL_MAX) return announce(form.dataset.tooLong, true);
      return location.assign(url);
    }
    const view = document.createElement("template");
    view.innerHTML = answer.html;
    const { title, announce: words, feed } = view.content.firstElementChild?.dataset ?? {};
    if (answer.waitS > 0) {
      // What is shown is better than a page that says there is nothing to show.
      return retryLater(answer.waitS, words ?? form.dataset.offline);
    }
    shown = keyOf(url);
    retries = 0;
    results.replaceChildren(view.content);
    if (title) document.title = title;
    nameFeed(feed);
    announce(words ?? "", false);
    after();
  }

  /** The feed that a reader of feeds finds is that of the search that is shown. */
  function nameFeed(href) {
    const known = document.head.querySelector("link[type='application/rss+xml']");
    if (!href?.includes("?")) return known?.remove();
    const link = known ?? document.head.appendChild(document.createElement("link"));
    Object.assign(link, { rel: "alternate", type: "application/rss+xml", href });
    link.title = document.title;
  }

  function announce(text, isVisible) {
    announcer.textContent = isVisible ? "" : text;
    // The same trouble again is not news.
    if (!isVisible) trouble.textContent = "";
    else if (trouble.textContent !== text) trouble.textContent = text;
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
    // The results need room that the page before them did not: it is made at the key, not later.
    results.classList.add("results-tall");
    clearTimeout(typingTimer);
    if (event.isComposing) return;
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
    if (event.target.id === "host-choice") {
      event.preventDefault();
      return choose(new FormData(event.target, event.submitter));
    }
    if (event.target.matches(".language-form")) {
      event.target.elements.back.value = keyOf(location);
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

  // --- the reader's own choice of hosts, which the server keeps in a cookie ----------------------

  async function choose(choice) {
    try {
      const signal = AbortSignal.timeout(15_000);
      const body = new URLSearchParams([...choice]);
      await fetch("/hosts", { method: "POST", body, redirect: "manual", signal });
    } catch {
      return announce(form.dataset.offline, true);
    }
    load(new URL(location.href), "stay", showResults);
  }

  // The page itself may have come while the index was down.
  if (results.querySelector("[data-retry]")) retryLater(0, "");
  addEventListener("online", retry);
}
