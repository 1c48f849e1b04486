import * as z from 'zod'

/** A storefront that embeds the snippet. `id` stands in the page, so it is public and no secret. */
export const Property = z.object({
  id: z.string(),
  domain: z.string(),
  /** Where the snippet may report from; `https://*.shop.example` is every subdomain. */
  origins: z.array(z.string()),
  /** ISO 4217: what a value counts in when its event names no currency; null for most orders'. */
  currency: z.string().nullable(),
  /** IANA: the zone that the days of the domain's report are counted in. */
  time_zone: z.string(),
  created_at: z.iso.datetime(),
  /** The script tag for the storefront's `<head>`. */
  tag: z.string(),
  /** The same for those who load one version and no other, with its hash (SRI). */
  pinned_tag: z.string(),
  /** When the last event of the domain was received, from any sender. */
  last_event_at: z.iso.datetime().nullable(),
})
export type Property = z.infer<typeof Property>
