import { Elysia } from "elysia";

/** Nothing inline, nothing from elsewhere; what a page may do is what app.js and htmx do. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CSP,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // `no-referrer` would make browsers send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Puts the headers on every answer, errors and unknown paths too. */
export const security = () =>
  new Elysia({ name: "security" }).onRequest(({ set }) => {
    Object.assign(set.headers, SECURITY_HEADERS);
  });
