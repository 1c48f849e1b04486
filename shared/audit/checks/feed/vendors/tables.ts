import type { FeedVendor } from '../../../../commerce/feed.ts'
import { DESTINATION_NAMES, type FeedDestination } from './destinations.ts'
import { GOOGLE } from './google.ts'
import { META } from './meta.ts'
import { MICROSOFT_FEED } from './microsoft.ts'
import { OPENAI, OPENAI_NEWER, OPENAI_OF_GOOGLE } from './openai.ts'
import { PAYPAL_OF_GOOGLE, PAYPAL_OF_OPENAI } from './paypal.ts'
import { STRIPE } from './stripe.ts'
import type { VendorTable } from './table.ts'

/** Whose rules the feed of a store is audited by. */
export const TABLES: Record<FeedVendor, VendorTable> = { google: GOOGLE, openai: OPENAI }

/** The rules of each destination, by the names of a feed's rows. */
export const DESTINATIONS = {
  openai: { openai: OPENAI_NEWER, google: OPENAI_OF_GOOGLE },
  google: { openai: GOOGLE, google: GOOGLE },
  microsoft: { openai: MICROSOFT_FEED, google: MICROSOFT_FEED },
  meta: { openai: META, google: META },
  stripe: { openai: STRIPE, google: STRIPE },
  paypal: { openai: PAYPAL_OF_OPENAI, google: PAYPAL_OF_GOOGLE },
} as const satisfies Record<FeedDestination, Record<FeedVendor, VendorTable>>

/** Every name that one of the tables reads: what else a feed holds need not be looked at. */
export const READ_NAMES: ReadonlySet<string> = new Set(
  DESTINATION_NAMES.flatMap((name) => Object.values<VendorTable>(DESTINATIONS[name])).flatMap(
    ({ fields, variant, group }) => [
      ...fields.flatMap(({ name, also = [], free_with = [] }) => [name, ...also, ...free_with]),
      ...variant,
      group,
    ],
  ),
)
