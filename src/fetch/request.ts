import { ACCEPT_ENCODING } from "./decode.ts";
import type { Target } from "./guard.ts";
import { isSendable } from "./headers.ts";
import type { AcceptKind, FetchRequest } from "./outcome.ts";

const ACCEPT: Readonly<Record<AcceptKind, string>> = {
  page: "text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf,text/plain;q=0.8",
  robots: "text/plain,*/*;q=0.5",
  sitemap: "application/xml,text/xml,application/rss+xml,application/atom+xml,*/*;q=0.5",
  any: "*/*",
};

/** The request as it goes over the wire. Target and validators hold no line break by their type. */
export function requestBytes(target: Target, request: FetchRequest, userAgent: string): Buffer {
  const { etag = null, lastModified = null } = request.validators ?? {};
  const lines = [
    `GET ${target.path} HTTP/1.1`,
    `Host: ${target.authority}`,
    `User-Agent: ${userAgent}`,
    `Accept: ${ACCEPT[request.accept]}`,
    `Accept-Encoding: ${ACCEPT_ENCODING}`,
  ];
  if (etag !== null && isSendable(etag)) lines.push(`If-None-Match: ${etag}`);
  if (lastModified !== null && isSendable(lastModified)) {
    lines.push(`If-Modified-Since: ${lastModified}`);
  }
  const { cookies } = request;
  if (cookies !== undefined && isSendable(cookies)) lines.push(`Cookie: ${cookies}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
