import { challengeInHeaders, challengeInHtml } from '../../../../web/http/presence.ts'
import type { AccessContent } from '../../../evidence.ts'

/** An answer to a request for a page, of any status. */
export interface AnswerBody {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  html: string
  url: string
  truncated: boolean
  /** The size of the decompressed body. */
  bytes: number
}

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

/**
 * Whose bot challenge an answer is instead of the page; null for a page, and for a refusal without
 * a way in.
 */
export function challengeOf(
  { headers, html }: Pick<AnswerBody, 'headers' | 'html'>,
  { text, product }: Pick<AccessContent, 'text' | 'product'>,
): string | null {
  const announced = challengeInHeaders(headers)
  if (announced !== null) return announced
  if (product !== null || text > MAX_CHALLENGE_TEXT) return null
  const vendor = challengeInHtml(html)
  if (vendor !== null) return vendor
  const isCaptcha = text <= MAX_CAPTCHA_TEXT && CAPTCHAS.some((mark) => html.includes(mark))
  return isCaptcha ? 'a CAPTCHA' : null
}
