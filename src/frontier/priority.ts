import { parametersOf, queryOf } from "../url/pattern.ts";
import type { UrlOrigin } from "./admit.ts";

export const PRIORITY_MAX = 255;

/**
 * Where each origin stands; higher first. Few different numbers on purpose: a claim looks at each
 * priority of a host once.
 */
const BY_ORIGIN: Readonly<Record<UrlOrigin, number>> = {
  submission: 220,
  seed: 200,
  feed: 150,
  sitemap: 110,
  link: 100,
  redirect: 100,
  canonical: 100,
  collector: 100,
};

/** A person named the URL, if only after it was found: where it was found stays as it was. */
export const isNamedLater = (priority: number): boolean => priority >= BY_ORIGIN.seed;

/** Each link away from what a person named is one less, down to this many. */
const DEPTH_COST_MAX = 50;

/**
 * Priority of a candidate, 0..255: its own when it brings one, else by origin, depth and query.
 * `url` is canonical.
 */
export function priorityOf(
  candidate: { readonly via: UrlOrigin; readonly depth: number; readonly priority?: number },
  url: string,
): number {
  if (candidate.priority !== undefined) return clampPriority(candidate.priority);
  const isLink = candidate.via === "link";
  const cost = isLink ? Math.min(candidate.depth, DEPTH_COST_MAX) + choiceCost(url) : 0;
  return clampPriority(BY_ORIGIN[candidate.via] - cost);
}

/** A choice of two and more is asked for after all simple ones: in a shop they show the same. */
const CHOICE_COST = 6;
const CHOICES_MAX = 3;
/** Which page of a list is no choice. */
const PAGING = /^(?:p|pg|pages?|paged|pagenum|offset|start|from|seite|pagina)$/i;

function choiceCost(url: string): number {
  if (!url.includes("&")) return 0;
  const choices = parametersOf(queryOf(url)).filter(({ name }) => !PAGING.test(name)).length;
  return CHOICE_COST * Math.min(CHOICES_MAX, Math.max(0, choices - 1));
}

/** An integer of 0..255; no number at all counts as 0. */
export function clampPriority(priority: number): number {
  if (Number.isNaN(priority)) return 0;
  return Math.round(Math.min(PRIORITY_MAX, Math.max(0, priority)));
}

/** What a sitemap may add to the priority of a page, or take from it, in steps of 2. */
const SITEMAP_SPAN = 4;

/** Priority of what a sitemap names; `said` is 0 to 1, and one half when nothing is said. */
export function sitemapPriority(said: number | null): number {
  const share = ((said ?? 0.5) - 0.5) * 2;
  return BY_ORIGIN.sitemap + Math.round((share * SITEMAP_SPAN) / 2) * 2;
}

const BOOST_STEP = 2;
const BOOST_MAX = 8;

/**
 * What sites that link to a host add to the priority of what waits there: 2 from 4 of them on, 4
 * from 16, 6 from 64, 8 from 256. Less than what lies between two origins that a person chose.
 */
export function linkBoost(linkingHosts: number): number {
  const steps = Math.floor(Math.log2(Math.max(1, linkingHosts)) / 2);
  return Math.min(BOOST_MAX, steps * BOOST_STEP);
}
