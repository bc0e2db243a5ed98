import { type Static, Type } from "@sinclair/typebox";
import { Value, type ValueError } from "@sinclair/typebox/value";

const KINDS = ["suffix", "postal", "phone", "place", "institution", "language"] as const;

/** What speaks for a region, or (with a weight below zero) for somewhere else. */
export type SignalKind = (typeof KINDS)[number];

const Signal = Type.Object(
  {
    kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
    /** Points of one match; 3 in all make a score of a half. */
    weight: Type.Number({ minimum: -10, maximum: 10 }),
    /** Of a suffix: hosts below it are of the region whatever their pages say. */
    decides: Type.Optional(Type.Boolean()),
    values: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20_000,
    }),
  },
  { additionalProperties: false },
);

const Profile = Type.Object(
  {
    name: Type.String({ pattern: "^[a-z][a-z0-9-]{0,40}$" }),
    /** As people call it. */
    title: Type.String({ minLength: 1, maxLength: 100 }),
    /** Whom the lists come from. */
    sources: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    signals: Type.Array(Signal, { minItems: 1, maxItems: 200 }),
  },
  { additionalProperties: false },
);

export type RegionProfile = Static<typeof Profile>;
export type RegionSignal = Static<typeof Signal>;

export type ProfileResult =
  | { kind: "profile"; profile: RegionProfile }
  | { kind: "problems"; problems: string[] };

const PROBLEMS_MAX = 5;
/** `#` a digit, `@` a capital letter, `[…]` one of these, `?` the one before may be missing. */
const PATTERN = /^(?:(?:[#@A-Z0-9 ]|\[(?:[A-Z0-9](?:-[A-Z0-9])?)+\])\??)+$/;
/** Each doubles the ways in which a text may be read. */
const OPTIONAL_MAX = 6;
const RANGE = /([A-Z0-9])-([A-Z0-9])/g;
const SUFFIX = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** A profile as a file has it; each problem names the field. */
export function checkProfile(value: unknown): ProfileResult {
  const errors = [...Value.Errors(Profile, value)];
  if (errors.length > 0) {
    const problems = errors.slice(0, PROBLEMS_MAX).map(told);
    return { kind: "problems", problems: [...new Set(problems)] };
  }
  const profile = value as RegionProfile;
  const problems = profile.signals.flatMap(formProblems).slice(0, PROBLEMS_MAX);
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "profile", profile };
}

function formProblems(signal: RegionSignal, at: number): string[] {
  const wrong = (field: string, what: string) => `signals[${at}].${field}: ${what}`;
  const problems: string[] = [];
  const known = new Set<string>();
  for (const [place, value] of signal.values.entries()) {
    const why = whyNot(signal.kind, value) ?? (known.has(value) ? "stands there twice" : null);
    if (why !== null) problems.push(wrong(`values[${place}]`, `${JSON.stringify(value)} ${why}`));
    known.add(value);
  }
  if (signal.decides && (signal.kind !== "suffix" || signal.weight <= 0)) {
    problems.push(wrong("decides", "is for suffixes with a weight above 0"));
  }
  return problems;
}

function whyNot(kind: SignalKind, value: string): string | null {
  switch (kind) {
    case "suffix":
      return SUFFIX.test(value) ? null : "is no end of a host name, such as qc.ca";
    case "postal":
    case "phone":
      return whyNoPattern(value);
    case "language":
      return LANGUAGE.test(value) ? null : "is no language tag, such as fr-CA";
    case "place":
    case "institution":
      return /[\p{L}\p{N}]/u.test(value) ? null : "has no letter";
    default:
      return kind satisfies never;
  }
}

function whyNoPattern(value: string): string | null {
  if (!PATTERN.test(value)) return "is no pattern of # (digit), @ (letter), [..], ?";
  if (value.split("?").length - 1 > OPTIONAL_MAX) {
    return `has more than ${OPTIONAL_MAX} times ?: write it as several patterns`;
  }
  const [wrong] = [...value.matchAll(RANGE)].filter(([, from, to]) => from! > to!);
  return wrong ? `has a range that runs backwards: ${wrong[2]}-${wrong[1]}, not ${wrong[0]}` : null;
}

function told({ path, message }: ValueError): string {
  const field = path
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  const what = /^\/signals\/\d+\/kind$/.test(path) ? `is none of ${KINDS.join(", ")}` : message;
  return `${field === "" ? "the profile" : field}: ${what}`;
}

/** Ends of host names that decide by themselves. */
export function decidingSuffixes(profile: RegionProfile): string[] {
  return profile.signals.flatMap(({ decides, values }) => (decides ? values : []));
}

/** `host` is `suffix` or stands below it. */
export function isBelow(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}
