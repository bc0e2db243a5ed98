// Every page works without this file. It keeps the live cards alive where the stream cannot, and
// says so where neither can. Whoever is no longer signed in is led on by the answer (HX-Redirect).

const POLL_MS = 5000;
/** Two heartbeats of the stream, and some time to arrive. */
const PATIENCE_MS = 40000;
/** A stream that is being opened gets so long: opening it anew would end the attempt. */
const OPENING_MS = 15000;
const SIGNS_OF_LIFE = ["htmx:sse:after:connection", "htmx:sse:after:message", "beat"];
const SIGNS_OF_DEATH = ["htmx:sse:error", "htmx:error", "htmx:response:error"];

/** Asks for the cards itself while the stream is silent, and rests while nobody looks. */
function watchLive(live) {
  const state = document.getElementById("live-state");
  let heardAt = Date.now();
  /** When the numbers on the page were the newest ones. */
  let freshAt = Date.now();
  let reopenedAt = 0;

  function say(text) {
    if (state.textContent === text) return;
    const notice = document.createElement("p");
    notice.className = "notice notice-warn";
    notice.textContent = text;
    state.replaceChildren(...(text === "" ? [] : [notice]));
  }
  function refresh() {
    freshAt = Date.now();
    document.body.classList.remove("stale-live");
    say("");
  }
  function complain() {
    document.body.classList.add("stale-live");
    const since = new Date(freshAt).toLocaleTimeString(document.documentElement.lang);
    say(`Not live since ${since}: the server does not answer. This page goes on trying.`);
  }

  for (const name of SIGNS_OF_LIFE) {
    live.addEventListener(name, () => {
      heardAt = Date.now();
      refresh();
    });
  }
  for (const name of SIGNS_OF_DEATH) {
    // What happens to the stream happens at its element, what happens to a poll at the body.
    document.addEventListener(name, ({ target }) => {
      if (target === live) heardAt = 0;
      else complain();
    });
  }
  document.addEventListener("htmx:after:request", ({ detail, target }) => {
    if (target !== live && detail.ctx.response.status < 400) refresh();
  });
  document.addEventListener("visibilitychange", () => {
    heardAt = Date.now();
  });
  setInterval(() => {
    if (document.hidden || Date.now() - heardAt < PATIENCE_MS) return;
    // A stream that never came up is not tried again by itself.
    if (Date.now() - reopenedAt >= OPENING_MS) {
      reopenedAt = Date.now();
      htmx.trigger(live, "reopen");
    }
    htmx.ajax("GET", live.dataset.poll, { target: live, swap: "none" });
  }, POLL_MS);
}

document.addEventListener("DOMContentLoaded", () => {
  const live = document.getElementById("live");
  if (live?.dataset.poll) watchLive(live);
});
