import type { Answer } from './fetched.ts'

/**
 * Marks that only a vendor's challenge has. Scripts that watch visitors on ordinary pages do not
 * count: Cloudflare's `scripts/jsd`, DataDome's `tags.js`, HUMAN's sensor, the set-up of AWS WAF's
 * and Kasada's scripts.
 */
const MARKS: readonly { vendor: string; marks: readonly string[] }[] = [
  {
    // https://developers.cloudflare.com/cloudflare-challenges/
    vendor: 'Cloudflare',
    marks: [
      '_cf_chl_opt',
      '/cdn-cgi/challenge-platform/h/b/orchestrate/',
      '/cdn-cgi/challenge-platform/h/g/orchestrate/',
    ],
  },
  { vendor: 'DataDome', marks: ['captcha-delivery.com'] },
  { vendor: 'HUMAN (PerimeterX)', marks: ['px-captcha'] },
  { vendor: 'Imperva', marks: ['Incapsula incident ID', '/_Incapsula_Resource?SWUDNSAI='] },
  { vendor: 'Akamai', marks: ['sec-if-cpt-container', '/_sec/cp_challenge/', 'bm-verify='] },
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge.html
  { vendor: 'AWS WAF', marks: ['window.gokuProps', 'AwsWafIntegration.checkForceRefresh'] },
  { vendor: 'Kasada', marks: ['KPSDK.start='] },
  { vendor: 'SiteGround', marks: ['/.well-known/sgcaptcha/'] },
]

/** Challenges are short pages: only this much is searched. */
const MAX_LOOKED_AT = 256 * 1024

/** The vendor whose header marks the answer as a challenge. Header names in lower case. */
export function challengeInHeaders(headers: Answer['headers']): string | null {
  if (headers['cf-mitigated'] === 'challenge') return 'Cloudflare'
  if (/^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? '')) return 'AWS WAF'
  return headers['sg-captcha'] === 'challenge' ? 'SiteGround' : null
}

/** The vendor whose challenge left its mark in a page. */
export function challengeInHtml(html: string): string | null {
  const beginning = html.slice(0, MAX_LOOKED_AT)
  const vendor = MARKS.find(({ marks }) => marks.some((mark) => beginning.includes(mark)))?.vendor
  return vendor ?? (TITLE.test(beginning) ? 'by its title' : null)
}

/** Titles of challenges whose vendor leaves no mark, and of those that a store made itself. */
const TITLE =
  /<title[^>]{0,100}>\s{0,50}(?:just a moment|one moment,? please|checking (?:your|the) browser|(?:please )?verify(?:ing)? (?:that )?you(?: a|['’])re (?:a )?human|are you (?:a )?(?:human|robot)|(?:ro)?bot (?:check|challenge|verification|detection)|human verification|security (?:check|challenge|verification)|captcha|pardon our interruption)(?![\w-])/i
