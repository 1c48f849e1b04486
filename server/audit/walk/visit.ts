import type { PurchaseDeps } from '../../../shared/walk/purchase/deps.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { BODY_CAPS } from '../probe/fetch/request.ts'
import type { AuditSession } from '../probe/session.ts'
import type { Consent } from './consent.ts'

type Visit = NonNullable<PurchaseDeps['visit']>

/** Opens links at hosts that sell for the domain; no link leads a walk anywhere else. */
export const createVisit =
  (session: AuditSession, consent: Consent, taken: () => Exchange[]): Visit =>
  async (url) => {
    const nothing = { status: 0, text: '' }
    const elsewhere = async (address: string) =>
      (await consent(address)) === null
        ? null
        : `It leads to ${new URL(address).host}, which is not a host of the store.`
    const left = await elsewhere(url)
    // What was asked of the other host belongs to no step.
    taken()
    if (left !== null) return { exchanges: [], failure: { why: left, is: 'elsewhere' }, ...nothing }
    const fetched = await session.request({
      url,
      headers: { accept: 'text/html,application/xhtml+xml' },
      maxBytes: BODY_CAPS.manifest,
    })
    const exchanges = taken()
    if (fetched.kind !== 'answer') {
      return { exchanges, failure: { why: `${describeFetch(fetched)}.`, is: 'silent' }, ...nothing }
    }
    const gone = await elsewhere(fetched.final_url)
    taken()
    const failure =
      gone !== null
        ? ({ why: gone, is: 'elsewhere' } as const)
        : fetched.challenge === undefined
          ? null
          : ({ why: `${describeFetch(fetched)}.`, is: 'silent' } as const)
    return { exchanges, failure, status: fetched.status, text: fetched.body }
  }
