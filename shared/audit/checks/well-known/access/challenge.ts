import type { AccessContent } from '../../../evidence.ts'

/** An answer to a request for a page, of any status. */
export interface AnswerBody {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  html: string
  url: string
  truncated: boolean
  /** Of the decompressed body. */
  bytes: number
}

/**
 * What only a vendor's challenge says. Scripts that watch visitors on ordinary pages are none:
 * Cloudflare's `challenge-platform/scripts/jsd`, DataDome's `tags.js`, HUMAN's sensor.
 */
const MARKS: readonly { vendor: string; marks: readonly string[] }[] = [
  // https://developers.cloudflare.com/cloudflare-challenges/
  { vendor: 'Cloudflare', marks: ['_cf_chl_opt', '/cdn-cgi/challenge-platform/h/'] },
  { vendor: 'DataDome', marks: ['captcha-delivery.com'] },
  { vendor: 'HUMAN (PerimeterX)', marks: ['px-captcha'] },
  { vendor: 'Imperva', marks: ['Incapsula incident ID', '/_Incapsula_Resource?SWUDNSAI='] },
  { vendor: 'Akamai', marks: ['sec-if-cpt-container', '/_sec/cp_challenge/', 'bm-verify='] },
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge.html
  { vendor: 'AWS WAF', marks: ['awsWafCookieDomainList', 'AwsWafIntegration.'] },
  { vendor: 'Kasada', marks: ['KPSDK.'] },
]

/** Anyone's form may have one of these; a page of nothing else is a challenge. */
const CAPTCHAS = [
  'google.com/recaptcha/',
  'recaptcha.net/recaptcha/',
  'hcaptcha.com/1/api.js',
  'challenges.cloudflare.com/turnstile/',
]

/** A challenge says a sentence or two, in several languages at most. */
const MAX_CHALLENGE_TEXT = 1_500
const MAX_CAPTCHA_TEXT = 400

/** Challenges are short pages: so much is looked through. */
const MAX_LOOKED_AT = 256 * 1024

/**
 * Whose bot challenge an answer is instead of the page; null for a page, and for a refusal without a
 * way in.
 */
export function challengeOf(
  { headers, html }: Pick<AnswerBody, 'headers' | 'html'>,
  { text, product }: Pick<AccessContent, 'text' | 'product'>,
): string | null {
  if (headers['cf-mitigated'] === 'challenge') return 'Cloudflare'
  if (/^(challenge|captcha)$/.test(headers['x-amzn-waf-action'] ?? '')) return 'AWS WAF'
  if (product !== null || text > MAX_CHALLENGE_TEXT) return null
  const beginning = html.slice(0, MAX_LOOKED_AT)
  const found = MARKS.find(({ marks }) => marks.some((mark) => beginning.includes(mark)))
  if (found !== undefined) return found.vendor
  const isCaptcha = text <= MAX_CAPTCHA_TEXT && CAPTCHAS.some((mark) => beginning.includes(mark))
  return isCaptcha ? 'a CAPTCHA' : null
}
