import type { Sql } from 'postgres'
import { findCurrencies } from '../../db/attribution/currencies.ts'
import { findEventKeys } from '../../db/events/events.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import type { ApiError } from '../../http/api-error.ts'
import { invalidField } from '../../http/errors.ts'
import { type IncomingEvent, isUnpriced, pairOf } from './event.ts'
import { assumedCurrency } from './notes.ts'

// Unspecified: a value without a currency counts in that of the property, otherwise in that of most
// orders so far. Where there is none it is refused for any event, so that a shop learns it at its
// first checkout, not at its first order.

/**
 * The events of a batch, in order, each value with a currency: its own, that of the domain's
 * property, or that of most of the domain's orders, earlier ones of the batch included. Instead of
 * an event that has none to take and is new, the error that its sender gets.
 */
export async function assumeCurrencies(
  { sql, at }: { sql: Sql; at: AtShard },
  batch: readonly IncomingEvent[],
): Promise<(IncomingEvent | ApiError)[]> {
  const domains = new Set(batch.filter(isUnpriced).map(({ domain }) => domain))
  const known = await findCurrencies({ sql, at }, [...domains])
  const priced = batch.map((event) => {
    const found = known.get(event.domain)
    if (isUnpriced(event)) {
      if (found === undefined) return event
      const { currency, from } = found
      return { ...event, currency, notes: [...event.notes, assumedCurrency(currency, from)] }
    }
    const { domain, currency, value } = event
    if (event.event === 'ai_checkout_completed' && currency !== null && value !== null && !found) {
      known.set(domain, { currency, from: 'orders' })
    }
    return event
  })

  // A repeat of a stored event gets the same answer, even if the currency has changed since.
  const left = priced.filter(isUnpriced)
  const stored = new Set(
    (await findEventKeys(at, left)).map(({ domain, key }) => pairOf(domain, key)),
  )
  return priced.map((event) =>
    isUnpriced(event) && !stored.has(pairOf(event.domain, event.key)) ? noCurrency() : event,
  )
}

const noCurrency = () =>
  invalidField(
    'properties.currency',
    'required',
    'The value has no currency, and this domain has neither a property with a currency nor an order in one. Send an ISO 4217 code such as USD.',
  )
