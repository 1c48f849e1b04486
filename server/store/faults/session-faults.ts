import type { JsonObject, OperationCall, Overrides, StoreRequest } from '../http/store-request.ts'
import { type StoreFault, sessionFaultsOf, walkFault } from './fault.ts'
import {
  eachOf,
  endsSoon,
  failing,
  inDecimals,
  isDeclined,
  patch,
  raise,
  SURCHARGE,
  titleBeside,
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

/** As the store makes them: with a UUID. */
const OWN_ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/

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
    paidTwice: walkFault(
      dialect,
      'paid-twice',
      'one_order',
      inCalls(named('complete'), { isKeyed: false, subject: 'copied' }),
    ),
    reopens: walkFault(
      dialect,
      'canceled-reopens',
      'stays_ended',
      inCalls(named('update'), { subject: 'reopened' }),
    ),
    agents: [
      walkFault(dialect, 'agents-kept-out', 'admits_agents', broken(isOpened, 'unauthorized')),
      walkFault(dialect, 'agents-throttled', 'answers', broken(isOpened, 'rate_limited')),
    ],
  }
}

/** The most sessions that a fault remembers. */
const MOST_KEPT = 1000

interface OfficialDialect extends Dialect {
  /** The name of the operation that reads a checkout. */
  read: string
  /** The name of a line's item. */
  titleOf: 'title' | 'name'
  /** The status of a session that can be completed. */
  ready: string
  inSessions: (change: BodyChange) => Overrides
  /** In carts as well. */
  inBaskets: (change: BodyChange) => Overrides
  /** The amounts that a line adds to. */
  withLines: readonly string[]
  /** A line at the dearer price. */
  dearerLine: (line: JsonObject) => JsonObject
  /** It is shipped otherwise than was chosen. */
  shippedOtherwise: (body: JsonObject) => JsonObject
  /** Where the arguments of a payment have what is paid with. */
  paymentIn: (given: JsonObject) => unknown
}

/** The same of official UCP and ACP, with what the two share beyond it. */
export function officialFaults(official: OfficialDialect) {
  const { dialect, calls, named, ready, inSessions, inBaskets, withLines, dearerLine } = official
  const shared = sharedFaults(official)
  const { fault, broken } = shared
  const fails = (verb: 'complete' | 'cancel'): StoreFault =>
    fault(
      `checkout_${verb}_fails`,
      broken(({ operation }) => operation === named(verb)),
    )
  const whenIn = (status: string, change: (body: JsonObject) => JsonObject): Overrides =>
    inSessions((body) => (body.status === status ? change(body) : body))

  const isRead = ({ operation }: OperationCall) => operation === official.read

  /** Answers with what it was paid with. */
  function echoing(): Overrides {
    const paid = new WeakMap<StoreRequest, unknown>()
    return {
      [calls]: (call: OperationCall, request: StoreRequest) => {
        paid.set(request, official.paymentIn(call.given))
        return call
      },
      ...inSessions((body, request) =>
        body.status === 'completed' ? { ...body, payment: paid.get(request) } : body,
      ),
    }
  }

  /** Reads answer what `remembered` keeps of a checkout; all else is right. */
  const readFrom = (remembered: (body: JsonObject, isRead: boolean) => JsonObject): Overrides => {
    const reads = new WeakSet<StoreRequest>()
    return {
      [calls]: (call: OperationCall, request: StoreRequest): OperationCall => {
        if (isRead(call)) reads.add(request)
        return call
      },
      ...inSessions((body, request) => remembered(body, reads.has(request))),
    }
  }

  /** Reads show each session as it was first shown, as from a cache, until it is cancelled. */
  function stale(): Overrides {
    const first = new Map<unknown, JsonObject>()
    return readFrom((body, isRead) => {
      if (first.size >= MOST_KEPT) first.clear()
      if (!first.has(body.id)) first.set(body.id, body)
      return isRead && body.status !== 'canceled' ? (first.get(body.id) ?? body) : body
    })
  }

  /** Each payment is made in a copy of the checkout, which shows the last one as its own. */
  function paidInCopies(): Overrides {
    const paid = new Map<unknown, JsonObject>()
    const overrides = readFrom((body, isRead) => {
      if (paid.size >= MOST_KEPT) paid.clear()
      if (body.status === 'completed') paid.set(body.id, body)
      return isRead ? (paid.get(body.id) ?? body) : body
    })
    const note = overrides[calls]
    return {
      ...overrides,
      [calls]: (call: OperationCall, request: StoreRequest): OperationCall => ({
        ...(note?.(call, request) ?? call),
        ...(call.operation === named('complete') && { isKeyed: false, subject: 'copied' }),
      }),
    }
  }

  /** A line under the name of something else. */
  const retitled = (line: JsonObject): JsonObject =>
    patch(line, 'item', (item) => ({ ...item, [official.titleOf]: titleBeside(item.id) }))

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
    paidTwice: walkFault(dialect, 'paid-twice', 'one_order', paidInCopies()),
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
    atTheEnd: [
      walkFault(
        dialect,
        'charges-more-tax',
        'charged_as_agreed',
        whenIn('completed', (body) => eachOf(body, 'totals', raise(['tax', 'total'], SURCHARGE))),
      ),
      walkFault(
        dialect,
        'sells-more-at-the-end',
        'charged_as_agreed',
        whenIn('completed', (body) =>
          eachOf(body, 'line_items', (line) => ({ ...line, quantity: Number(line.quantity) + 1 })),
        ),
      ),
      walkFault(
        dialect,
        'ships-otherwise-at-the-end',
        'charged_as_agreed',
        whenIn('completed', official.shippedOtherwise),
      ),
      walkFault(dialect, 'credential-echoed', 'credential_is_kept', echoing()),
    ],
    keeping: [
      // Each answer names another checkout, which the next call may name.
      walkFault(dialect, 'id-changes', 'is_read_as_answered', {
        ...inSessions((body, { number }) => ({ ...body, id: `${String(body.id)}~${number}` })),
        [calls]: (call: OperationCall) => ({ ...call, id: call.id.replace(/~\d+$/, '') }),
      }),
      fault('checkout_not_kept', stale()),
      // A session that never was is still answered right.
      walkFault(
        dialect,
        'reads-fail',
        'is_read_as_answered',
        broken((call) => isRead(call) && OWN_ID.test(call.id)),
      ),
      walkFault(
        dialect,
        'titles-swapped',
        'goods_as_asked',
        inSessions((body) => eachOf(body, 'line_items', retitled)),
      ),
    ],
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
    // The id of no checkout.
    linkDead: fault(
      'checkout_link_wrong',
      inSessions((body) =>
        'continue_url' in body ? { ...body, continue_url: `${String(body.continue_url)}0` } : body,
      ),
    ),
    totalsWrong: fault(
      'checkout_totals_wrong',
      inBaskets((body) => eachOf(body, 'totals', raise(['total'], SURCHARGE))),
    ),
  }
}
