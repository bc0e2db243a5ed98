import { Elysia } from "elysia";

/** Below this a packet holds the answer anyway. */
const SIZE_MIN = 1_000;
/** Fast: level 6 saves another 3 % at twice the time. */
const LEVEL = 4;

/**
 * Compresses the answers of the plugin that uses it, for clients that take gzip. Only for pages
 * without a secret: beside text that a stranger chose, the length of the whole would betray it.
 */
export const compress = () =>
  new Elysia({ name: "compress" }).onAfterHandle(
    { as: "scoped" },
    async ({ request, responseValue }) => {
      if (!(responseValue instanceof Response) || !acceptsGzip(request)) return;
      const { status, headers } = responseValue;
      if (responseValue.body === null || headers.has("content-encoding")) return;
      const body = new Uint8Array(await responseValue.arrayBuffer());
      const packed = body.length < SIZE_MIN ? null : Bun.gzipSync(body, { level: LEVEL });
      const sent = new Headers(headers);
      sent.append("vary", "Accept-Encoding");
      if (packed !== null) sent.set("content-encoding", "gzip");
      return new Response(packed ?? body, { status, headers: sent });
    },
  );

const acceptsGzip = (request: Request): boolean =>
  /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?(,|$)/i.test(
    request.headers.get("accept-encoding") ?? "",
  );
