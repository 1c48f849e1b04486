import * as z from 'zod'
import {
  LOOKBACK_DAYS,
  MOST_LOOKBACK_DAYS,
  type Property,
} from '../../shared/attribution/property.ts'
import { isCurrency } from '../../shared/commerce/iso.ts'
import { Domain } from '../../shared/web/address/domain.ts'
import { isTimeZone } from '../../shared/web/moment.ts'
import { randomBase62 } from '../access/key-format.ts'
import {
  insertProperty,
  type ListedProperty,
  MOST_OF_DOMAIN,
  type PropertyRow,
} from '../db/attribution/properties.ts'
import type { Db } from '../db/connect.ts'
import { ApiError } from '../http/api-error.ts'
import { AllowedOrigin, defaultOrigins, type Here } from './property-origins.ts'
import { type SnippetAsset, snippetTags } from './snippet/asset.ts'

/**
 * The form of a property id. Twenty random characters cannot be guessed, although the id is public.
 */
const PREFIX = 'prop_'
const RANDOM = 20

/** Whether this can be a property id: saves a query for anything else. */
export const isPropertyId = (text: string): boolean => /^prop_[0-9A-Za-z]{20}$/.test(text)

/** The currency of a property: an ISO 4217 code. */
const PropertyCurrency = z
  .string()
  .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')

/** The time zone of a property: what its days are counted in. */
const PropertyTimeZone = z
  .string()
  .refine(isTimeZone, 'Send the name of a time zone, such as Europe/Berlin.')

/** For how many days after its visit an order of a property's domain counts. */
const LookbackDays = z
  .int('Send a number of days, such as 7.')
  .min(1, 'Send at least 1.')
  .max(MOST_LOOKBACK_DAYS, `Send at most ${MOST_LOOKBACK_DAYS}.`)

const Origins = z
  .array(AllowedOrigin)
  .min(1, 'Name at least one origin, such as https://shop.example.')
  .max(50, 'A property has at most 50 origins.')
  // Repeats have no effect but would be shown to the owner.
  .transform((origins) => [...new Set(origins)])
  .describe(
    'Where the snippet may report from: `https://shop.example`, or `https://*.shop.example` for every subdomain',
  )

/** A storefront to be; without `origins`, its domain and all subdomains. */
export const NewProperty = z.strictObject({
  domain: Domain,
  origins: Origins.optional(),
  currency: PropertyCurrency.optional().describe(
    'ISO 4217: what a value counts in when its event names no currency. Left out: that of most orders',
  ),
  time_zone: PropertyTimeZone.optional().describe(
    'The time zone that its days are counted in: `Europe/Berlin`. Left out: UTC',
  ),
  lookback_days: LookbackDays.optional().describe(
    `For how many days after its visit an order counts for it, where the visitor has consented. Left out: ${LOOKBACK_DAYS}`,
  ),
})
export type NewProperty = z.infer<typeof NewProperty>

/** How a property takes away its currency: null in a body counts as absent. */
const NO_CURRENCY = 'none'

/** What can be changed of a property. Its domain cannot: its events are of that one. */
export const PropertyChange = z
  .strictObject({
    origins: Origins.optional(),
    currency: z
      .union([z.literal(NO_CURRENCY), PropertyCurrency], {
        error: 'Send an ISO 4217 code in capitals, such as USD, or "none".',
      })
      .optional()
      .describe(
        'ISO 4217: what a value counts in when its event names no currency; `none` for that of most orders',
      ),
    time_zone: PropertyTimeZone.optional().describe(
      'The time zone that its days are counted in: `Europe/Berlin`',
    ),
    lookback_days: LookbackDays.optional().describe(
      'For how many days after its visit an order counts for it, from now on',
    ),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'Send what is to be changed: origins, currency, time_zone or lookback_days.',
  })
export type PropertyChange = z.infer<typeof PropertyChange>

/** The columns that a change sets. */
export const columnsOf = ({ origins, currency, time_zone, lookback_days }: PropertyChange) => ({
  ...(origins !== undefined && { origins }),
  ...(currency !== undefined && { currency: currency === NO_CURRENCY ? null : currency }),
  ...(time_zone !== undefined && { time_zone }),
  ...(lookback_days !== undefined && { lookback_days }),
})

/**
 * Creates a property. Throws 409 (`ApiError`) if the domain has fifty. `here`: where TEST_HOSTS
 * sends the domain.
 */
// Unspecified: one domain may have several properties, such as a shop and its blog.
export async function createProperty(
  db: Db,
  { domain, origins, currency, time_zone, lookback_days }: NewProperty,
  now: Date,
  here: Here | null = null,
): Promise<ListedProperty> {
  const row: PropertyRow = {
    id: PREFIX + randomBase62(RANDOM),
    domain,
    origins: origins === undefined ? defaultOrigins(domain, here) : [...origins],
    currency: currency ?? null,
    time_zone: time_zone ?? null,
    lookback_days: lookback_days ?? null,
    created_at: now,
  }
  if (await insertProperty(db, row)) return { ...row, last_event_at: null }
  throw new ApiError(
    409,
    'too_many_properties',
    `${domain} has ${MOST_OF_DOMAIN} properties. Use one of them, or delete those that no page embeds.`,
  )
}

/**
 * A property as the API and the command show it, with the tags to put into a page. `baseUrl` has no
 * slash at its end.
 */
export const describeProperty = (
  property: ListedProperty,
  snippet: SnippetAsset,
  baseUrl: string,
): Property => ({
  ...property,
  time_zone: property.time_zone ?? 'UTC',
  lookback_days: property.lookback_days ?? LOOKBACK_DAYS,
  created_at: property.created_at.toISOString(),
  ...snippetTags(snippet, baseUrl, property.id, property.lookback_days),
  last_event_at: property.last_event_at?.toISOString() ?? null,
})
