import { expect, test } from "bun:test";
import { nameOf, navigational } from "../../src/search/navigational.ts";

const gain = (query: string, url: string) =>
  navigational(nameOf(query), { url, host: new URL(url).hostname });

test.each([
  ["hydroquebec", "https://www.hydroquebec.com/", 4, "the front page of the host"],
  ["Hydro-Québec", "https://www.hydroquebec.com/", 4, "as people write it"],
  ["hydro quebec", "https://www.hydroquebec.com/fr/", 4, "its front page of a language"],
  ["hydro quebec", "https://www.hydroquebec.com/jobs/42", 2, "another page of it"],
  ["www.hydroquebec.com", "https://www.hydroquebec.com/", 4, "its address"],
  ["https://hydroquebec.com/", "https://www.hydroquebec.com/", 4, "with a scheme"],
  ["ville saguenay", "https://ville.saguenay.ca/", 4, "a name of two labels"],
  ["wikipedia", "https://fr.wikipedia.org/", 2, "a host below it"],
  ["wikipedia", "https://fr.wikipedia.org/wiki/X", 1.5, "a page of a host below it"],
  ["bbc", "https://www.bbc.co.uk/", 4, "below a suffix of two labels"],
  ["hydro", "https://www.hydroquebec.com/", null, "a part of the name"],
  ["hydro quebec emploi", "https://www.hydroquebec.com/", null, "more than the name"],
  ["com", "https://www.hydroquebec.com/", null, "the suffix alone"],
  ["fr", "https://fr.wikipedia.org/", null, "too short"],
  ["site:hydroquebec.com", "https://www.hydroquebec.com/", null, "an operator"],
  ['"hydro quebec"', "https://www.hydroquebec.com/", null, "a phrase"],
  ["-hydroquebec", "https://www.hydroquebec.com/", null, "what is not wanted"],
  ["", "https://www.hydroquebec.com/", null, "nothing"],
  ["localhost", "http://localhost/", 4, "a name of one label"],
  ["127.0.0.1", "http://127.0.0.1/", 4, "an address"],
])("%j at %s gains %p: %s", (query, url, expected) => {
  expect(gain(query, url)).toBe(expected);
});

test("no host name and no query is an error", () => {
  for (const host of ["", "[2001:db8::1]", "a..b", "x".repeat(300)]) {
    for (const query of ["abc", "2001 db8", "xxx", "𝒳𝒴𝒵", "\ud800abc"]) {
      expect(() => navigational(nameOf(query), { host, url: "" })).not.toThrow();
    }
  }
});
