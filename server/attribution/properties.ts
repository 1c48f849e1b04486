import * as z from 'zod'
import type { Property } from '../../shared/attribution/property.ts'
import { isCurrency } from '../../shared/commerce/iso.ts'
import { Domain } from '../../shared/web/domain.ts'
import { randomBase62 } from '../access/key-format.ts'
import type { Db } from '../db/connect.ts'
import { insertProperty, type ListedProperty, type PropertyRow } from '../db/properties.ts'
import { AllowedOrigin, defaultOrigins } from './property-origins.ts'
import { type SnippetAsset, snippetTags } from './snippet/asset.ts'

/**
 * The form of a property id. Twenty random characters cannot be guessed, although the id is public.
 */
const PREFIX = 'prop_'
const RANDOM = 20

/** Whether this can be a property id: saves a query for anything else. */
export const isPropertyId = (text: string): boolean => /^prop_[0-9A-Za-z]{20}$/.test(text)

/** The currency of a property: an ISO 4217 code. */
export const PropertyCurrency = z
  .string()
  .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')

/** A storefront to be; without `origins`, its domain and all subdomains. */
export const NewProperty = z.object({
  domain: Domain,
  origins: z.array(AllowedOrigin).min(1).max(50).optional(),
  currency: PropertyCurrency.optional(),
})
export type NewProperty = z.infer<typeof NewProperty>

// Unspecified: one domain may have several properties, such as a shop and its blog.
export async function createProperty(
  db: Db,
  { domain, origins = defaultOrigins(domain), currency }: NewProperty,
  now: Date,
): Promise<ListedProperty> {
  const row: PropertyRow = {
    id: PREFIX + randomBase62(RANDOM),
    domain,
    // Repeats have no effect but would be shown to the owner.
    origins: [...new Set(origins)],
    currency: currency ?? null,
    created_at: now,
  }
  await insertProperty(db, row)
  return { ...row, last_event_at: null }
}

/**
 * A property as the API and the command show it, with the tags to put into a page. `baseUrl` has no
 * slash at its end.
 */
export const describeProperty = (
  { id, domain, origins, currency, created_at, last_event_at }: ListedProperty,
  snippet: SnippetAsset,
  baseUrl: string,
): Property => ({
  id,
  domain,
  origins,
  currency,
  created_at: created_at.toISOString(),
  ...snippetTags(snippet, baseUrl, id),
  last_event_at: last_event_at?.toISOString() ?? null,
})
