// Every page works without this file. It keeps the live cards alive where the stream cannot.

const POLL_MS = 5000;
/** Two heartbeats of the stream, and some time to arrive. */
const PATIENCE_MS = 40000;
const SIGNS_OF_LIFE = ["htmx:sse:after:connection", "htmx:sse:after:message", "beat"];
const SIGNS_OF_DEATH = ["htmx:sse:error", "htmx:error", "htmx:response:error"];

/** Asks for the cards itself while the stream is silent, and rests while nobody looks. */
function watchLive(live) {
  let heardAt = Date.now();
  const hear = () => {
    heardAt = Date.now();
    document.body.classList.remove("stale-live");
  };
  for (const name of SIGNS_OF_LIFE) live.addEventListener(name, hear);
  for (const name of SIGNS_OF_DEATH) {
    live.addEventListener(name, () => {
      heardAt = 0;
    });
  }
  document.addEventListener("visibilitychange", () => {
    heardAt = Date.now();
  });
  setInterval(() => {
    if (document.hidden || Date.now() - heardAt < PATIENCE_MS) return;
    document.body.classList.add("stale-live");
    // A stream that never came up is not tried again by itself.
    htmx.trigger(live, "reopen");
    htmx.ajax("GET", live.dataset.poll, { target: live, swap: "none" });
  }, POLL_MS);
}

document.addEventListener("DOMContentLoaded", () => {
  const live = document.getElementById("live");
  if (live?.dataset.poll) watchLive(live);
});
