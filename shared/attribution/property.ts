import * as z from 'zod'

// Unspecified: an order counts for a visit of the 24 hours before it. A store may look back as far
// as browsers keep a cookie that a script sets, and analytics look back.
/** For how many days after its visit an order counts, unless its property says otherwise. */
export const LOOKBACK_DAYS = 1
export const MOST_LOOKBACK_DAYS = 90

/** A storefront with the tag in its pages. `id` is in the page, so it is not a secret. */
export const Property = z.object({
  id: z.string().describe('The id of the property. It stands in the page, and is not a secret'),
  domain: z.string().describe('The domain that its sessions and orders count for'),
  origins: z
    .array(z.string())
    .describe('Where the tag may report from; `https://*.shop.example` is every subdomain'),
  currency: z
    .string()
    .nullable()
    .describe(
      'ISO 4217: what a value counts in when its event names no currency. Null: that of most orders',
    ),
  time_zone: z
    .string()
    .describe('The time zone that the days of the report are counted in: `Europe/Berlin`'),
  lookback_days: z
    .int()
    .describe(
      'For how many days after its visit an order counts for it. The tag says more than one in `data-lookback`',
    ),
  created_at: z.iso.datetime().describe('When it was created, ISO 8601 in UTC'),
  tag: z.string().describe('The tag for the `<head>` of the storefront'),
  pinned_tag: z
    .string()
    .describe('The same for one version of the script and no other, with its hash (SRI)'),
  last_event_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the last event of the domain was received, from any sender, ISO 8601 in UTC. Null: none yet',
    ),
})
export type Property = z.infer<typeof Property>

/**
 * The address of the storefront as if opened from ChatGPT: its origin, with ChatGPT's parameter.
 */
export const testVisitOf = ({ domain, origins }: Pick<Property, 'domain' | 'origins'>): string => {
  const origin = origins.find((each) => !each.includes('*')) ?? `https://${domain}`
  return `${origin}/?utm_source=chatgpt.com`
}
