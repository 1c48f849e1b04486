import type { Sql } from 'postgres'
import type { AtShard } from '../sharding/shards.ts'
import { findSetting } from './domain-settings.ts'

/** A domain's currency, as its property says, or as most of its orders so far were in. */
interface DomainCurrency {
  currency: string
  from: 'property' | 'orders'
}

// Unspecified: of two currencies with as many orders, the first in the alphabet.

/** The currencies of these domains; those that have none are left out. */
export async function findCurrencies(
  { sql, at }: { sql: Sql; at: AtShard },
  domains: readonly string[],
): Promise<Map<string, DomainCurrency>> {
  const set = await findSetting(sql, 'currency', domains)
  const found = new Map<string, DomainCurrency>(
    [...set].map(([domain, currency]) => [domain, { currency, from: 'property' }]),
  )
  const left = domains.filter((domain) => !found.has(domain))
  if (left.length === 0) return found
  const sold = await at<{ domain: string; currency: string }>(
    `
    select domain, currency from rollup_daily
    where domain in (select jsonb_array_elements_text($1::jsonb)) and currency <> ''
    group by domain, currency having sum(completed) > 0
    order by sum(completed) desc, currency`,
    [JSON.stringify(left)],
  )
  for (const { domain, currency } of sold) {
    if (!found.has(domain)) found.set(domain, { currency, from: 'orders' })
  }
  return found
}
