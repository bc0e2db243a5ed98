/** Path and query of a page of this server; anything else leads to the first page. */
export function localPath(back: string, here: URL): string {
  const target = URL.parse(back, here);
  if (!target || target.origin !== here.origin) return "/";
  // A path such as `//evil.test` would be read as another host when it stands alone.
  return target.pathname.startsWith("//") ? "/" : target.pathname + target.search;
}
