import type { JsonObject, OperationCall, Overrides, StoreRequest } from '../http/store-request.ts'
import { type StoreFault, sessionFaultsOf, walkFault } from './fault.ts'
import {
  eachOf,
  endsSoon,
  failing,
  inDecimals,
  isDeclined,
  raise,
  SURCHARGE,
  without,
} from './overrides.ts'

export type BodyChange = (body: JsonObject, request: StoreRequest) => JsonObject

interface Dialect {
  dialect: 'ucp' | 'acp' | 'spec-acp'
  calls: 'ucpCall' | 'acpCall' | 'specAcpCall'
  /** The name of the operation that does this to a checkout. */
  named: (verb: 'create' | 'update' | 'complete' | 'cancel') => string
  /** Whether the checkout that is asked for is one that the shop should open. */
  isOrdinary: (call: OperationCall) => boolean
}

/** The faults that sessions have alike in every dialect, and how to make its others. */
export function sharedFaults({ dialect, calls, named, isOrdinary }: Dialect) {
  const fault = sessionFaultsOf(dialect)
  const broken = failing(calls)
  const isOpened = (call: OperationCall) => call.operation === named('create') && isOrdinary(call)
  const inCalls = (operation: string, change: Partial<OperationCall>): Overrides => ({
    [calls]: (call: OperationCall) =>
      call.operation === operation ? { ...call, ...change } : call,
  })
  return {
    fault,
    broken,
    dryRunFails: fault('checkout_dry_run_failed', broken(isOpened)),
    declineFails: fault(
      'checkout_decline_fails',
      broken(({ operation, given }) => operation === named('complete') && isDeclined(given)),
    ),
    keysIgnored: fault('checkout_idempotency_ignored', {
      [calls]: (call: OperationCall) => ({ ...call, isKeyed: false }),
    }),
    endings: [
      walkFault(
        dialect,
        'paid-twice',
        'one_order',
        inCalls(named('complete'), { isKeyed: false, subject: 'copied' }),
      ),
      walkFault(
        dialect,
        'canceled-reopens',
        'stays_ended',
        inCalls(named('update'), { subject: 'reopened' }),
      ),
    ],
    agents: [
      walkFault(dialect, 'agents-kept-out', 'admits_agents', broken(isOpened, 'unauthorized')),
      walkFault(dialect, 'agents-throttled', 'answers', broken(isOpened, 'rate_limited')),
    ],
  }
}

interface OfficialDialect extends Dialect {
  /** The status of a session that can be completed. */
  ready: string
  inSessions: (change: BodyChange) => Overrides
  /** In carts as well. */
  inBaskets: (change: BodyChange) => Overrides
  /** The amounts that a line adds to. */
  withLines: readonly string[]
  /** A line at the dearer price. */
  dearerLine: (line: JsonObject) => JsonObject
}

/** The same of official UCP and ACP, with what the two share beyond it. */
export function officialFaults(official: OfficialDialect) {
  const { dialect, named, ready, inSessions, inBaskets, withLines, dearerLine } = official
  const shared = sharedFaults(official)
  const { fault, broken } = shared
  const fails = (verb: 'complete' | 'cancel'): StoreFault =>
    fault(
      `checkout_${verb}_fails`,
      broken(({ operation }) => operation === named(verb)),
    )
  const whenIn = (status: string, change: (body: JsonObject) => JsonObject): Overrides =>
    inSessions((body) => (body.status === status ? change(body) : body))

  /** All sums are of the dearer prices, and add up. */
  const dearer = (body: JsonObject): JsonObject => {
    let sum = 0
    const priced = eachOf(body, 'line_items', (line) => {
      const more = SURCHARGE * Number(line.quantity)
      sum += more
      return eachOf(dearerLine(line), 'totals', raise(withLines, more))
    })
    return eachOf(priced, 'totals', raise(withLines, sum))
  }

  return {
    ...shared,
    completeFails: fails('complete'),
    cancelFails: fails('cancel'),
    inDecimals: fault('checkout_invalid_shape', inSessions(inDecimals)),
    endsSoon: fault('checkout_expiry_invalid', inSessions(endsSoon)),
    neverReady: fault(
      'checkout_never_ready',
      whenIn(ready, (body) => ({ ...body, status: 'incomplete' })),
    ),
    signInWithoutUrl: walkFault(
      dialect,
      'sign-in-without-url',
      'leads_the_buyer_on',
      whenIn(ready, (body) => ({
        ...without(body, 'continue_url'),
        status: 'requires_escalation',
      })),
    ),
    continueUrlMissing: fault(
      'checkout_continue_url_missing',
      whenIn('requires_escalation', (body) => without(body, 'continue_url')),
    ),
    dearer: fault('checkout_price_mismatch', inBaskets(dearer)),
    // It adds up: the fee comes once it is paid.
    chargesMore: walkFault(
      dialect,
      'charges-more',
      'charged_as_agreed',
      whenIn('completed', (body) => {
        const { totals } = eachOf(body, 'totals', raise(['total'], SURCHARGE))
        const fee = { type: 'fee', display_text: 'Handling', amount: SURCHARGE }
        return { ...body, totals: [...(Array.isArray(totals) ? totals : []), fee] }
      }),
    ),
    totalsWrong: fault(
      'checkout_totals_wrong',
      inBaskets((body) => eachOf(body, 'totals', raise(['total'], SURCHARGE))),
    ),
  }
}
