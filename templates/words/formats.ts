/** Numbers, days and language names as one language writes them. The formats are made once. */
export interface Formats {
  number(value: number): string;
  /** A day such as `3 Mar 2026`, in UTC. */
  date(at: Date): string;
  /** Name of a language by its code, with a capital for lists; an unknown code stays as it is. */
  languageName(code: string): string;
}

export function formatsOf(locale: string): Formats {
  const numbers = new Intl.NumberFormat(locale);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const languages = new Intl.DisplayNames(locale, { type: "language", fallback: "code" });
  return {
    number: (value) => numbers.format(value),
    date: (at) => dates.format(at),
    languageName(code) {
      try {
        const name = languages.of(code) ?? code;
        return name === code ? code : name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
      } catch {
        return code;
      }
    },
  };
}
