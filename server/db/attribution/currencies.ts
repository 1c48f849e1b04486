import type { Sql } from 'postgres'
import { withOrWithoutWww } from '../../../shared/web/address/domain.ts'
import type { AtShard } from '../sharding/shards.ts'

/** A domain's currency, as its property says, or as most of its orders so far were in. */
interface DomainCurrency {
  currency: string
  from: 'property' | 'orders'
}

// Unspecified: of several properties, the newest with a currency decides; one of the same site with
// or without www does as well. Of two currencies with as many orders, the first in the alphabet.

/** The currencies of these domains; those that have none are left out. */
export async function findCurrencies(
  { sql, at }: { sql: Sql; at: AtShard },
  domains: readonly string[],
): Promise<Map<string, DomainCurrency>> {
  const found = new Map<string, DomainCurrency>()
  const set = await sql<{ domain: string; currency: string }[]>`
    select domain, currency from properties
    where domain = any(${domains.flatMap(withOrWithoutWww)}) and currency is not null
    order by created_at desc, id`
  for (const domain of domains) {
    const currencyAt = (name: string | undefined) =>
      set.find((row) => row.domain === name)?.currency
    const [, twin] = withOrWithoutWww(domain)
    const currency = currencyAt(domain) ?? currencyAt(twin)
    if (currency !== undefined) found.set(domain, { currency, from: 'property' })
  }
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
