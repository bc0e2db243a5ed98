// Suggestions under the search field: a combobox with a listbox. Loaded after search.js, which
// answers the submit that taking a suggestion ends in.
// biome-ignore lint/suspicious/noRedundantUseStrict: a classic script, not a module
"use strict";
/* global askFragment */

{
  const TYPING_MS = 180;

  const form = document.getElementById("search");
  const input = form.elements.q;
  const list = document.getElementById("suggestions");

  let asking = new AbortController();
  let typingTimer = 0;
  /** Place of the option that Enter would take; -1: the field itself. */
  let active = -1;

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", "suggestions");
  input.setAttribute("aria-expanded", "false");

  async function suggest() {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const words = input.value.trim().slice(0, input.maxLength);
    if (words === "") return closeList();
    const answer = await askFragment(`/suggest?${new URLSearchParams({ q: words })}`, signal);
    if (signal.aborted || document.activeElement !== input) return;
    if (answer === null || answer.isPage || answer.waitS > 0) return closeList();
    list.innerHTML = answer.html;
    activate(-1);
    const isOpen = list.querySelector("[role=option]") !== null;
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
  }

  function closeList() {
    clearTimeout(typingTimer);
    asking.abort();
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
    const { href, words } = option.dataset;
    closeList();
    if (href) return location.assign(href);
    input.value = words;
    form.requestSubmit();
  }

  input.addEventListener("input", (event) => {
    clearTimeout(typingTimer);
    if (event.isComposing) return;
    typingTimer = setTimeout(suggest, TYPING_MS);
  });
  input.addEventListener("blur", closeList);
  form.addEventListener("submit", closeList);
  addEventListener("popstate", closeList);

  // Pressing an option must not take the focus from the field, which would close the list first.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });

  input.addEventListener("keydown", (event) => {
    const options = list.querySelectorAll("[role=option]").length;
    if (options === 0 || event.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      // A list that changes under the hand is worse than one a letter old.
      clearTimeout(typingTimer);
      asking.abort();
      // The place after the last option is the field itself, as is the one before the first.
      activate(((active + 1 + step + options + 1) % (options + 1)) - 1);
    } else if (event.key === "Enter" && active >= 0) {
      take(list.children[active]);
    } else if (event.key === "Escape") {
      closeList();
    } else {
      return;
    }
    event.preventDefault();
  });
}
