/** A piece of a query as it is typed. */
export type Lexeme =
  | { kind: "or" }
  | { kind: "text"; text: string; isExcluded: boolean }
  | { kind: "phrase"; text: string; isExcluded: boolean }
  | { kind: "in title"; text: string; isExcluded: boolean }
  | { kind: "site"; host: string; isExcluded: boolean }
  | { kind: "lang"; lang: string; isExcluded: boolean }
  /** Epoch ms, inclusive. */
  | { kind: "from"; at: number }
  | { kind: "to"; at: number };

const CHARACTERS_MAX = 1_000;

/** Takes a query apart; anything that is no operator comes out as text. */
export function* readLexemes(query: string): Generator<Lexeme> {
  const text = query.slice(0, CHARACTERS_MAX);
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    at = piece.end;
    if (piece.lexeme !== null) yield piece.lexeme;
  }
}

interface Piece {
  lexeme: Lexeme | null;
  end: number;
}

function pieceAt(text: string, from: number): Piece {
  const at = from + matchAt(SPACE, text, from).length;
  if (at >= text.length) return { lexeme: null, end: at };
  const isExcluded = text[at] === "-";
  const start = isExcluded ? at + 1 : at;
  const operator = matchAt(OPERATOR, text, start);
  const value = valueAt(text, start + operator.length);
  if (operator !== "") {
    const name = operator.slice(0, -1).toLowerCase();
    const lexeme = operation(name, value.text, isExcluded);
    if (lexeme !== null) return { lexeme, end: value.end };
    return {
      lexeme: { kind: "text", text: text.slice(start, value.end), isExcluded },
      end: value.end,
    };
  }
  if (value.isQuoted)
    return { lexeme: { kind: "phrase", text: value.text, isExcluded }, end: value.end };
  if (!isExcluded && (value.text === "OR" || value.text === "|")) {
    return { lexeme: { kind: "or" }, end: value.end };
  }
  return { lexeme: { kind: "text", text: value.text, isExcluded }, end: value.end };
}

const SPACE = /[\s\p{Z}\p{Cc}]*/uy;
const OPERATOR = /(?:site|intitle|lang|before|after):(?=[^\s\p{Z}])/iuy;
const QUOTED = /["“”„«»]([^"“”„«»]*)["“”„«»]/uy;
/** A quote that nobody closed is text, and ends the word before it. */
const BARE = /["“”„«»]?[^\s\p{Z}\p{Cc}"“”„«»]*/uy;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function valueAt(text: string, at: number): { text: string; end: number; isQuoted: boolean } {
  const quoted = matchAt(QUOTED, text, at);
  if (quoted !== "") return { text: quoted.slice(1, -1), end: at + quoted.length, isQuoted: true };
  const bare = matchAt(BARE, text, at);
  return { text: bare, end: at + Math.max(1, bare.length), isQuoted: false };
}

function operation(name: string, value: string, isExcluded: boolean): Lexeme | null {
  switch (name) {
    case "intitle":
      return { kind: "in title", text: value, isExcluded };
    case "site": {
      const host = hostOf(value);
      return host === null ? null : { kind: "site", host, isExcluded };
    }
    case "lang": {
      const lang = LANGUAGE.exec(value.toLowerCase())?.[1];
      return lang === undefined ? null : { kind: "lang", lang, isExcluded };
    }
    default:
      return isExcluded ? null : dated(name, value);
  }
}

const LANGUAGE = /^([a-z]{2,3})(?:-[a-z0-9]{1,8})*$/;
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*?\.)?([^/\s]{1,253})/i;

function hostOf(value: string): string | null {
  const found = HOST.exec(value)?.[1];
  // The URL parser gives the ASCII form of international names.
  const url = found === undefined ? null : URL.parse(`http://${found}`);
  const host = url?.hostname.replace(/\.$/, "") ?? "";
  return host === "" ? null : host;
}

/**
 * `after:` counts from the first moment of its day, month or year, `before:` ends just before it.
 */
function dated(name: string, value: string): Lexeme | null {
  const parts = DATE.exec(value);
  if (parts === null) return null;
  const [year, month = 1, day = 1] = parts.slice(1).filter(Boolean).map(Number);
  const at = Date.UTC(year!, month - 1, day);
  const date = new Date(at);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return name === "after" ? { kind: "from", at } : { kind: "to", at: at - 1 };
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
