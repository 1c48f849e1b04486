import type { RowFault } from '../../../../commerce/feed.ts'
import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: Microsoft Merchant Center, product attributes (page of 2026-06-18). Shipping is required
// for Austria and Germany alone, which a row does not show.

const SPEC =
  'https://learn.microsoft.com/en-us/advertising/msa-help/hlp_ba_conc_aboutbingmerchantcentercatalogfile'

const field = fieldsOf(SPEC)

export const MICROSOFT_FEED: VendorTable = {
  vendor: 'Microsoft',
  page: SPEC,
  read: '2026-12-01',
  fields: [
    field('id', 'required', 'text', { most: 50 }),
    field('title', 'required', 'text', { most: 150 }),
    field('description', 'required', 'text', { most: 10_000 }),
    field('link', 'required', 'url', { most: 2000 }),
    field('image_link', 'required', 'url', { most: 2000 }),
    field('price', 'required', 'price', { free_with: ['installment'] }),
    field('shipping', 'conditional', 'text'),
    // 70 are recommended, and 1,000 taken.
    field('brand', 'conditional', 'text', { most: 1000 }),
    field('gtin', 'conditional', 'gtins'),
    field('mpn', 'conditional', 'text', { most: 70 }),
    field('identifier_exists', 'conditional', 'boolean'),
    field('availability', 'optional', 'one_of', {
      one_of: ['in_stock', 'out_of_stock', 'preorder'],
    }),
    field('condition', 'optional', 'one_of', { one_of: ['new', 'used', 'refurbished'] }),
    // "Any adult products submitted in the feed will be rejected."
    field('adult', 'optional', 'one_of', { one_of: ['false', 'no'], refused: true }),
    field('age_group', 'conditional', 'one_of', {
      one_of: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
    }),
    field('gender', 'conditional', 'one_of', { one_of: ['male', 'female', 'unisex'] }),
    field('color', 'conditional', 'text', { most: 100 }),
    field('size', 'conditional', 'text', { most: 100 }),
    field('size_system', 'optional', 'one_of', { one_of: ['de', 'fr', 'au', 'us', 'uk'] }),
    field('size_type', 'optional', 'one_of', {
      one_of: ['regular', 'petite', 'plus', 'big_and_tall', 'maternity'],
    }),
    field('item_group_id', 'optional', 'text', { most: 50 }),
    field('material', 'optional', 'text', { most: 200 }),
    field('pattern', 'optional', 'text', { most: 100 }),
    field('additional_image_link', 'optional', 'text'),
    field('expiration_date', 'optional', 'date'),
    field('multipack', 'optional', 'count'),
    field('product_category', 'optional', 'category', {
      also: ['google_product_category'],
      most: 255,
    }),
    field('product_type', 'optional', 'text', { most: 750 }),
    field('sale_price', 'optional', 'amount'),
    field('sale_price_effective_date', 'optional', 'dates'),
    field('ads_redirect', 'optional', 'url', { also: ['bingads_redirect'], most: 2000 }),
    field('seller_name', 'conditional', 'text', { most: 255 }),
    ...[0, 1, 2, 3, 4].map((n) => field(`custom_label_${n}`, 'optional', 'text', { most: 100 })),
  ],
  conditions: (value) => [...identifierFaults(value), ...saleFaults(value)],
  group: 'item_group_id',
  variant: ['size', 'color', 'material', 'pattern', 'age_group', 'gender', 'title'],
}

/** Section "Which unique product identifiers are needed", of new products. */
function identifierFaults(value: (name: string) => string | undefined): RowFault[] {
  const isOld = /used|refurbished/i.test(value('condition') ?? '')
  const isKnown = value('brand') !== undefined && (value('gtin') ?? value('mpn')) !== undefined
  if (isOld || isKnown || value('identifier_exists') !== undefined) return []
  return [
    {
      field: 'identifier_exists',
      kind: 'identifiers',
      value: null,
      expected: 'brand with a gtin or an mpn, or identifier_exists: FALSE',
    },
  ]
}
