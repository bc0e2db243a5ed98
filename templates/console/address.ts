/** A path with its parameters; null, empty and default values are left out of the address. */
export function address(
  path: string,
  parameters: Readonly<Record<string, string | number | null>>,
  defaults: Readonly<Record<string, string | number | null>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === "" || value === defaults[name]) continue;
    query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
