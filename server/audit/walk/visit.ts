import type { PurchaseDeps } from '../../../shared/walk/purchase/deps.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import { describeFetch, type Fetched } from '../../../shared/web/http/fetched.ts'
import { type Cookies, cookieOf, keepCookies } from '../probe/fetch/cookies.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import type { AuditSession } from '../probe/session.ts'
import type { Consent } from './consent.ts'

type Visit = NonNullable<PurchaseDeps['visit']>

/** Redirects that a link may take: a basket, its page, the language, the checkout. */
const MOST_REDIRECTS = 8
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Opens links at hosts that sell for the domain; no link leads a walk anywhere else. As a browser
 * does, it keeps cookies while it follows one: shops put the basket into a session, and lead on.
 */
export const createVisit =
  (session: AuditSession, consent: Consent, taken: () => Exchange[]): Visit =>
  async (url) => {
    const exchanges: Exchange[] = []
    const cookies = new Map<string, Cookies>()
    let at = url
    for (let redirects = 0; ; redirects += 1) {
      const { protocol, host } = new URL(at)
      const isSecure = protocol === 'https:'
      const isTheirs = isSecure && (await consent(at)) === null
      // What was asked of the other host belongs to no step.
      taken()
      const stopped = (why: string, is: 'elsewhere' | 'silent') =>
        ({ exchanges, failure: { why, is }, status: 0, text: '', url: at }) as const
      if (!isSecure) return stopped(`It leads on over ${protocol}//, not https.`, 'silent')
      if (!isTheirs) {
        return stopped(`It leads to ${host}, which is not a host of the store.`, 'elsewhere')
      }
      const fetched = await askAt(session, at, cookies)
      exchanges.push(...taken())
      if (fetched.kind !== 'answer') return stopped(`${describeFetch(fetched)}.`, 'silent')
      if (fetched.challenge !== undefined) return stopped(`${describeFetch(fetched)}.`, 'silent')
      const { status, headers, body: text } = fetched
      const next = REDIRECTS.includes(status) ? URL.parse(headers.location ?? '', at) : null
      if (next === null) return { exchanges, failure: null, status, text, url: at }
      if (redirects === MOST_REDIRECTS) {
        return stopped(`It leads on more than ${MOST_REDIRECTS} times, last to ${next}.`, 'silent')
      }
      at = next.href
    }
  }

/** Asks for one page, with the cookies of its host and no others. */
async function askAt(
  session: AuditSession,
  url: string,
  all: Map<string, Cookies>,
): Promise<Fetched> {
  const { host } = new URL(url)
  const cookies = all.get(host) ?? new Map()
  all.set(host, cookies)
  const fetched = await session.request({
    url,
    headers: { accept: 'text/html,application/xhtml+xml', ...cookieOf(cookies) },
    redirect: 'manual',
    maxBytes: BODY_CAPS.page,
  })
  if (fetched.kind === 'answer') keepCookies(cookies, fetched.headers)
  return fetched
}
