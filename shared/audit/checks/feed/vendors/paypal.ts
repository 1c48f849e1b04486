import type { RowFault } from '../../../../commerce/feed.ts'
import { type FeedField, fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: PayPal, product catalog of Store Sync. It takes three forms: Google's, Google's with two
// flags ("Enhanced"), and OpenAI's.

const SPEC = 'https://developer.paypal.com/store-sync/create-catalog'

const field = fieldsOf(SPEC)

/** "Rows with missing required fields or malformed values are skipped." */
const skipped = (fields: readonly FeedField[]): FeedField[] =>
  fields.map((each) => ({ ...each, refused: true }))

const AVAILABILITY = { one_of: ['in_stock', 'out_of_stock', 'preorder', 'backorder'] }
const COMMON = [
  field('title', 'required', 'text'),
  field('description', 'required', 'text', { least: 25 }),
  field('price', 'required', 'price'),
  field('availability', 'required', 'one_of', AVAILABILITY),
  field('sale_price', 'optional', 'price'),
  field('mpn', 'optional', 'text'),
  field('gtin', 'optional', 'gtin'),
  field('color', 'optional', 'text'),
  field('size', 'optional', 'text'),
  field('size_system', 'optional', 'text'),
  field('gender', 'optional', 'text'),
  field('item_group_title', 'optional', 'text'),
]
const BASE = {
  vendor: 'PayPal',
  page: SPEC,
  read: '2026-11-30',
  formats: ['csv', 'tsv'],
  variant: ['color', 'size', 'gender', 'title'],
} as const

/** Google's form, and the enhanced one, which is known by its flags. */
export const PAYPAL_OF_GOOGLE: VendorTable = {
  ...BASE,
  fields: skipped([
    field('id', 'required', 'text'),
    field('link', 'required', 'url'),
    field('image_link', 'required', 'url'),
    ...COMMON,
    field('item_group_id', 'conditional', 'text'),
    field('brand', 'optional', 'text'),
    field('google_product_category', 'optional', 'category'),
    field('product_type', 'optional', 'text'),
    field('additional_image_link', 'optional', 'text'),
    field('is_eligible_search', 'conditional', 'lower_boolean'),
    field('is_eligible_checkout', 'conditional', 'lower_boolean'),
    field('seller_privacy_policy', 'optional', 'url'),
    field('seller_tos', 'optional', 'url'),
    field('return_policy', 'optional', 'url'),
  ]),
  conditions: (value) => [...enhancedFaults(value), ...saleFaults(value)],
  group: 'item_group_id',
}

/** OpenAI's form, as PayPal takes it: it asks for more than OpenAI. */
export const PAYPAL_OF_OPENAI: VendorTable = {
  ...BASE,
  fields: skipped([
    field('item_id', 'required', 'text', { also: ['id'] }),
    // "Required if the product is a variant", although it is listed with the required ones.
    field('group_id', 'conditional', 'text', { also: ['item_group_id'] }),
    field('url', 'required', 'url'),
    field('image_url', 'required', 'url'),
    ...COMMON,
    field('brand', 'required', 'text'),
    field('listing_has_variations', 'required', 'lower_boolean'),
    field('seller_name', 'required', 'text'),
    field('seller_url', 'required', 'url'),
    field('seller_privacy_policy', 'required', 'url'),
    field('seller_tos', 'required', 'url'),
    field('return_policy', 'required', 'url'),
    field('target_countries', 'required', 'countries'),
    field('store_country', 'required', 'country'),
    field('is_eligible_search', 'optional', 'lower_boolean'),
    field('is_eligible_checkout', 'optional', 'lower_boolean'),
    field('product_category', 'optional', 'text'),
    field('additional_image_urls', 'optional', 'text'),
    field('variant_dict', 'optional', 'map'),
  ]),
  conditions: (value) => [...groupFaults(value), ...saleFaults(value)],
  group: 'group_id',
}

type Values = (name: string) => string | undefined

const FLAGS = ['is_eligible_search', 'is_eligible_checkout']

/** A row with one of the flags is of the enhanced form, which has both. */
const enhancedFaults = (value: Values): RowFault[] =>
  FLAGS.every((name) => value(name) === undefined)
    ? []
    : FLAGS.filter((name) => value(name) === undefined).map((field) => ({
        field,
        kind: 'missing',
        value: null,
        expected: `true or false, as in every row with ${FLAGS.find((each) => each !== field)}`,
      }))

const groupFaults = (value: Values): RowFault[] =>
  value('listing_has_variations') === 'true' && value('group_id') === undefined
    ? [{ field: 'group_id', kind: 'missing', value: null, expected: 'the group of the variant' }]
    : []
