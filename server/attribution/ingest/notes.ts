import { LOOKBACK_DAYS } from '../../../shared/attribution/property.ts'
import { counted } from '../../../shared/web/text/english-count.ts'

// All that the answer to an event may note (`EventAck.notes`). The notes of the event that counts
// are stored with its key, so that a retry gets the same.

export const IN_FUTURE = 'The timestamp is in the future, so the time of arrival was used.'

/** `from` says where the currency was taken from. */
export const assumedCurrency = (currency: string, from: 'property' | 'orders'): string =>
  `The value has no currency, so it counts in ${currency}, ${
    from === 'property' ? "the property's currency" : 'the currency of most orders so far'
  }. Send properties.currency as well.`

/** For an `ai_surface` in another spelling than its id. */
export const surfaceReadAs = (id: string): string => `The ai_surface was read as ${id}.`

/** For an `ai_surface` that cannot be an id; the event is stored without it. */
export const SURFACE_LEFT_OUT =
  'The ai_surface was left out. Send a lowercase snake_case identifier, such as chatgpt.'

/** For an event that names a visit of which no browser has reported. */
export const unknownVisit = (visitId: unknown, domain: string, isApart: boolean): string =>
  `Unknown visit_id ${visitId} at ${domain}.${isApart ? ` ${APART}` : ''}`

const APART = 'It is counted apart from what AI brought until its visit is reported.'

/** For an event that comes too long after the visit that it names. */
export const pastLookback = (days = LOOKBACK_DAYS): string =>
  `The visit was over ${counted(days, 'day')} before, so this is not counted for it. A property may look back further: lookback_days.`

/** For a view in the store's own pages that names neither a visit nor a surface. */
export const NO_VISIT = `No visit_id and no surface. ${APART}`

/** For an `ai_surface` without a row in the table. */
export const unknownSurface = (id: string): string =>
  `Unknown ai_surface ${id}, counted as other_ai.`

// Unspecified: what may be one sale, reported under two ids, counts twice and is noted, because
// shops do sell one thing twice a minute.
export const PROBABLE_DOUBLE =
  'Another order has the same value and currency in the same minute. If both are one sale, send the same properties.checkout_id or properties.order_id with both: it then counts once.'

/** For a passed-on request whose signature proves nothing; `why` says what to do. */
export const unverified = (why: string): string =>
  `The signature in agent_request proves nothing, so the agent counts as claimed. ${why}`

export const OTHER_HOST = 'Send the url that the agent asked for, at the domain of the event.'

/** For a refund whose order was not reported yet. */
export const unknownOrder = (sessionId: string, domain: string): string =>
  `No order ${sessionId} was reported for ${domain}, so this refund is kept and not counted. It counts once the order is reported.`

/** For an order that was erased, and for its refunds. */
export const ERASED =
  'This order was erased here, so what is reported of it is neither stored nor counted.'

/** For a refund of more than its order came to. */
export const LARGER_THAN_ORDER =
  'The refund is larger than its order. It counts as it is: check that the value is in the smallest unit, such as 4999 for 49.99.'

/** For a refund in another currency than its order. */
export const otherCurrency = (sent: string, ofOrder: string): string =>
  `The refund is in ${sent} and its order in ${ofOrder}. It counts in ${sent}.`

/** For a repeat whose fields differ from those of the event that counts. */
export const conflictNote = (event: string): string =>
  event === 'ai_checkout_completed'
    ? 'This order was recorded before, with different fields or under another id. The first one counts.'
    : 'This event was recorded before with different fields. The first one counts.'
