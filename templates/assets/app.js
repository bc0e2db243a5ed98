// Every page works without this file. It keeps the live cards alive where the stream cannot.

const POLL_MS = 5000;
const PATIENCE_MS = 20000;

/** Falls back to polling while the stream is silent, and rests while nobody looks. */
function watchLive(live) {
  let heardAt = Date.now();
  const heard = () => {
    heardAt = Date.now();
  };
  live.addEventListener("htmx:sse:after:connection", heard);
  live.addEventListener("htmx:sse:after:message", heard);
  document.addEventListener("visibilitychange", heard);
  const isSilent = () => Date.now() - heardAt > PATIENCE_MS;
  setInterval(() => {
    const mayPoll = !document.hidden && navigator.onLine && isSilent();
    document.body.classList.toggle("stale-live", isSilent());
    if (mayPoll) htmx.ajax("GET", live.dataset.poll, { source: live, swap: "none" });
  }, POLL_MS);
}

document.addEventListener("DOMContentLoaded", () => {
  const live = document.getElementById("live");
  if (live?.dataset.poll) watchLive(live);
});
