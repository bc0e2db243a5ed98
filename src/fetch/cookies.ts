import { fieldValues, type ResponseHead } from "./head.ts";
import { httpDateMs, isSendable } from "./headers.ts";

/** What a Cookie header of ours may hold. */
const COOKIE_BYTES_MAX = 4_096;
/** RFC 6265, section 4.1.1; a value goes back as it came, whatever servers write there. */
const PAIR = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*([^;]*)$/;

/**
 * The cookies that an answer sets, as a Cookie header sends them back; null when it sets none.
 * Scope attributes are not read: they are for the very URL that set them, and for nothing else.
 *
 * @param now milliseconds since the epoch: a cookie that is over by then is one taken away
 */
export function cookiesOf(head: ResponseHead, now: number): string | null {
  const jar = new Map<string, string>();
  for (const line of fieldValues(head, "set-cookie")) {
    const [first = "", ...attributes] = line.split(";");
    const [, name, value] = PAIR.exec(first.trim()) ?? [];
    if (name === undefined || value === undefined || !isSendable(value)) continue;
    if (isOver(attributes, now)) jar.delete(name);
    else jar.set(name, value);
  }
  let header = "";
  for (const [name, value] of jar) {
    const longer = `${header}${header === "" ? "" : "; "}${name}=${value}`;
    if (longer.length <= COOKIE_BYTES_MAX) header = longer;
  }
  return header === "" ? null : header;
}

/** Max-Age goes before Expires (RFC 6265, section 4.1.2.2). */
function isOver(attributes: readonly string[], now: number): boolean {
  const last = (name: string) =>
    attributes
      .map((attribute) => attribute.trim())
      .findLast((attribute) => attribute.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1);
  const maxAge = last("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = last("expires");
  return expires !== undefined && httpDateMs(expires.replaceAll("-", " ")) <= now;
}
