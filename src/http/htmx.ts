/** True when htmx will swap the answer into a part of the page: send the fragment alone. */
export function wantsFragment(request: Request): boolean {
  return (
    request.headers.get("hx-request") === "true" &&
    request.headers.get("hx-request-type") === "partial"
  );
}

/** Answers that differ by these must not be mixed up by a cache or by the browser's back button. */
export const HTMX_VARY = "HX-Request, HX-Request-Type";
