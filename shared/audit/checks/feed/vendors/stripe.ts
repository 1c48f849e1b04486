import type { RowFault } from '../../../../commerce/feed.ts'
import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: Stripe, catalog feed of Agentic Commerce Suite. What depends on how a seller ships, on
// who computes the tax and on laws is not held against a row: it does not show there.

const SPEC = 'https://docs.stripe.com/agentic-commerce/product-feed'

const field = fieldsOf(SPEC)

export const STRIPE: VendorTable = {
  vendor: 'Stripe',
  page: SPEC,
  read: '2026-11-30',
  formats: ['csv'],
  fields: [
    field('id', 'required', 'text', { most: 100 }),
    field('title', 'required', 'text', { most: 150 }),
    field('description', 'required', 'text', { most: 5000 }),
    field('link', 'required', 'url'),
    field('image_link', 'required', 'url'),
    field('availability', 'required', 'one_of', {
      one_of: ['in_stock', 'out_of_stock', 'preorder', 'backorder'],
    }),
    field('price', 'required', 'price'),
    field('brand', 'conditional', 'text', { most: 70 }),
    field('gtin', 'recommended', 'gtin', { most: 50 }),
    field('mpn', 'conditional', 'text', { most: 70 }),
    field('condition', 'conditional', 'one_of', { one_of: ['new', 'refurbished', 'used'] }),
    field('google_product_category', 'recommended', 'category'),
    field('product_category', 'conditional', 'text'),
    field('availability_date', 'conditional', 'date'),
    field('expiration_date', 'optional', 'date'),
    field('inventory_not_tracked', 'optional', 'lower_boolean'),
    field('inventory_quantity', 'conditional', 'count'),
    field('sale_price', 'optional', 'price'),
    field('sale_price_effective_date', 'conditional', 'dates'),
    field('stripe_product_tax_code', 'conditional', 'text'),
    field('third_party_tax_code', 'conditional', 'text', { most: 120 }),
    field('tax_behavior', 'optional', 'one_of', { one_of: ['inclusive', 'exclusive'] }),
    field('applicable_fees', 'optional', 'text'),
    field('shipping', 'conditional', 'shipping'),
    field('shipping_cost_basis', 'optional', 'one_of', { one_of: ['per_order', 'per_item'] }),
    field('free_shipping_threshold', 'optional', 'shipping'),
    field('item_group_id', 'conditional', 'text', { most: 70 }),
    field('item_group_title', 'optional', 'text', { most: 150 }),
    field('color', 'recommended', 'text', { most: 100 }),
    field('size', 'recommended', 'text', { most: 20 }),
    field('size_system', 'recommended', 'country'),
    field('gender', 'recommended', 'one_of', { one_of: ['male', 'female', 'unisex'] }),
    field('age_group', 'optional', 'one_of', {
      one_of: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
    }),
    field('material', 'conditional', 'text', { most: 100 }),
    field('additional_image_link', 'optional', 'text'),
    field('video_link', 'optional', 'url'),
    field('model_3d_link', 'optional', 'url'),
    field('product_review_count', 'recommended', 'count'),
    field('product_review_rating', 'conditional', 'rating'),
    field('popularity_score', 'recommended', 'rating'),
    field('age_restriction', 'optional', 'count'),
    field('delete', 'optional', 'lower_boolean'),
    field('disable_checkout', 'optional', 'lower_boolean'),
    ...[0, 1, 2, 3, 4].map((n) => field(`custom_label_${n}`, 'optional', 'text', { most: 100 })),
  ],
  removed: (row) => row.get('delete') === 'true',
  conditions: (value) => [...requiredFaults(value), ...saleFaults(value)],
  group: 'item_group_id',
  variant: ['color', 'size', 'material', 'gender', 'age_group', 'title'],
}

/** Books, films and music need no brand. */
const MEDIA = /^(?:media\b|783|784|839|855)/i

/** The column "Requirement", where it depends on another value of the row. */
function requiredFaults(value: (name: string) => string | undefined): RowFault[] {
  const lacks = (field: string, expected: string, isNeeded: boolean): RowFault[] =>
    isNeeded && value(field) === undefined
      ? [{ field, kind: 'missing', value: null, expected }]
      : []
  const category = value('google_product_category')
  const isMedia = MEDIA.test(category ?? value('product_category') ?? '')
  const untracked: RowFault[] =
    value('inventory_not_tracked') === 'true' && value('inventory_quantity') !== undefined
      ? [
          {
            field: 'inventory_quantity',
            kind: 'invalid',
            value: value('inventory_quantity') ?? null,
            expected: 'no value, because inventory_not_tracked is true',
          },
        ]
      : []
  const reviews = Number(value('product_review_count') ?? 0)
  return [
    ...untracked,
    ...lacks('brand', 'a brand', !isMedia),
    ...lacks('mpn', 'an mpn, because there is no gtin', value('gtin') === undefined),
    ...lacks(
      'product_category',
      'a category, because there is no google_product_category',
      category === undefined,
    ),
    ...lacks(
      'availability_date',
      'a date, because availability is preorder',
      value('availability') === 'preorder',
    ),
    ...lacks(
      'inventory_quantity',
      'a number, because inventory_not_tracked is false',
      value('inventory_not_tracked') === 'false',
    ),
    ...lacks(
      'sale_price_effective_date',
      'start/end, because there is a sale_price',
      value('sale_price') !== undefined,
    ),
    ...lacks('product_review_rating', 'a rating, because there are reviews', reviews > 0),
  ]
}
