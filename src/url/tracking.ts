/**
 * Query parameters that tell a server where a reader came from and never what to show. Lower case.
 * Words that some sites do read (`ref`, `source`, `cid`, `spm`) are left out on purpose.
 */
const TRACKING_NAMES: ReadonlySet<string> = new Set([
  // clicks on advertisements
  ..."gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid".split(" "),
  ..."fbclid msclkid yclid ysclid ymclid twclid ttclid li_fat_id rdt_cid epik sccid".split(" "),
  ..."igsh igshid rb_clickid irclickid s_kwcid ef_id wickedid _openstat xtor".split(" "),
  // sharing
  ..."fb_action_ids fb_action_types fb_source fb_ref __twitter_impression".split(" "),
  ..."guccounter guce_referrer guce_referrer_sig _branch_match_id".split(" "),
  // mailings
  ..."mc_cid mc_eid mkt_tok _kx vero_id vero_conv oly_enc_id oly_anon_id".split(" "),
  ..."elqtrackid elqtrack dm_i ml_subscriber ml_subscriber_hash".split(" "),
  // statistics of a site
  ..."_ga _gl _hsenc _hsmi __hssc __hstc __hsfp hsctatracking wt_mc wt_zmc wt.mc_id".split(" "),
  ..."ns_mchannel ns_source ns_campaign ns_linkname ns_fee at_medium at_campaign".split(" "),
]);

const TRACKING_PREFIXES = ["utm_", "mtm_", "matomo_", "piwik_", "pk_", "hsa_", "trk_"] as const;

/** `name` in lower case, decoded. */
export function isTrackingParameter(name: string): boolean {
  return TRACKING_NAMES.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Names that mean a session wherever they stand. */
const SESSION_NAMES: ReadonlySet<string> = new Set(
  "phpsessid jsessionid sessionid session_id sessid cfid cftoken zenid oscsid".split(" "),
);
const SESSION_PREFIX = "aspsessionid";

/** Names that mean a session only with a value that looks like one: elsewhere `sid` is a story. */
const PERHAPS_SESSION_NAMES: ReadonlySet<string> = new Set(["sid", "s", "session"]);
const SESSION_VALUE = /^[0-9a-f]{26,}$/i;

/** `name` in lower case, decoded. */
export function isSessionParameter(name: string, value: string): boolean {
  if (SESSION_NAMES.has(name) || name.startsWith(SESSION_PREFIX)) return true;
  return PERHAPS_SESSION_NAMES.has(name) && SESSION_VALUE.test(value);
}
