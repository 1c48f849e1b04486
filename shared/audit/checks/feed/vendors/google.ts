import type { RowFault } from '../../../../commerce/feed.ts'
import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: Google Merchant Center, product data specification.

const SPEC = 'https://support.google.com/merchants/answer/7052112'
const CHECKOUT = 'https://developers.google.com/merchant/ucp/guides/merchant-center'

const field = fieldsOf(SPEC)

/** Texts made by AI stand in an attribute of their own, in place of the plain one. */
const structured = (name: string) =>
  ['(content)', '', '(digital_source_type:content)'].map((part) => `structured_${name}${part}`)

export const GOOGLE: VendorTable = {
  vendor: 'Google',
  page: SPEC,
  read: '2026-12-01',
  // "If you submit a product with an incorrect GTIN value, your product will be disapproved."
  refuses: ['gtin'],
  fields: [
    field('id', 'required', 'text', { most: 50 }),
    field('title', 'required', 'text', { most: 150, also: structured('title') }),
    field('description', 'required', 'text', { most: 5000, also: structured('description') }),
    field('link', 'required', 'url', { most: 2000 }),
    field('image_link', 'required', 'url', { most: 2000 }),
    field('availability', 'required', 'one_of', {
      one_of: ['in_stock', 'out_of_stock', 'preorder', 'backorder'],
    }),
    // A phone that is paid with its contract: https://support.google.com/merchants/answer/6324371
    field('price', 'required', 'price', { free_with: ['subscription_cost', 'installment'] }),
    field('availability_date', 'conditional', 'date'),
    field('brand', 'conditional', 'name', { most: 70 }),
    field('gtin', 'conditional', 'gtin'),
    field('mpn', 'conditional', 'text', { most: 70 }),
    field('condition', 'conditional', 'one_of', { one_of: ['new', 'refurbished', 'used'] }),
    field('item_group_id', 'conditional', 'text', { most: 50 }),
    field('color', 'conditional', 'text', { most: 100 }),
    field('size', 'conditional', 'text', { most: 100 }),
    field('gender', 'conditional', 'one_of', { one_of: ['male', 'female', 'unisex'] }),
    field('age_group', 'conditional', 'one_of', {
      one_of: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
    }),
    field('identifier_exists', 'conditional', 'boolean'),
    field('adult', 'conditional', 'boolean'),
    field('is_bundle', 'conditional', 'boolean'),
    field('shipping', 'conditional', 'shipping'),
    field('shipping(country)', 'conditional', 'country'),
    field('shipping(price)', 'conditional', 'fee'),
    field('google_product_category', 'recommended', 'category', { most: 750 }),
    field('product_type', 'recommended', 'text', { most: 750 }),
    field('sale_price', 'optional', 'price'),
    field('sale_price_effective_date', 'optional', 'dates'),
    field('expiration_date', 'optional', 'date'),
    field('material', 'optional', 'text', { most: 200 }),
    field('pattern', 'optional', 'text', { most: 100 }),
    field('mobile_link', 'optional', 'url', { most: 2000 }),
    field('additional_image_link', 'optional', 'text'),
    field('shipping_label', 'optional', 'text', { most: 100 }),
    field('item_group_title', 'optional', 'text', { most: 150 }),
    field('size_system', 'optional', 'one_of', {
      one_of: ['us', 'uk', 'eu', 'de', 'fr', 'jp', 'cn', 'it', 'br', 'mex', 'au'],
    }),
    field('ads_redirect', 'optional', 'url', { most: 2000 }),
    field('short_title', 'optional', 'text', { most: 150 }),
    field('ships_from_country', 'optional', 'country'),
    ...[0, 1, 2, 3, 4].map((n) => field(`custom_label_${n}`, 'optional', 'text', { most: 100 })),
    field('native_commerce', 'optional', 'boolean', { source: CHECKOUT }),
    field('native_commerce(checkout_eligibility)', 'optional', 'boolean', { source: CHECKOUT }),
    field('consumer_notice(consumer_notice_type)', 'optional', 'one_of', {
      one_of: ['legal_disclaimer', 'safety_warning', 'prop_65'],
      source: CHECKOUT,
    }),
    field('consumer_notice(consumer_notice_message)', 'optional', 'text', {
      most: 1000,
      source: CHECKOUT,
    }),
  ],
  conditions: (value) => [
    ...identifierFaults(value),
    ...availabilityDateFaults(value),
    ...saleFaults(value),
  ],
  group: 'item_group_id',
  variant: [
    ...['color', 'size', 'material', 'pattern', 'gender', 'age_group', 'size_type', 'size_system'],
    ...['condition', 'multipack', 'unit_pricing_measure', 'variant_option', 'title'],
  ],
}

type Values = (name: string) => string | undefined

const isNo = (value: string | undefined): boolean => /^(no|false)$/i.test(value?.trim() ?? '')

/**
 * The branches of Google's taxonomy, by id and in English, but for clothing, which needs no more
 * than its brand, and media, which have a number or none
 * (https://www.google.com/basepages/producttype/taxonomy-with-ids.en-US.txt).
 */
const NEEDS_NUMBER = {
  ids: new Set(
    '1 8 111 141 222 412 436 469 536 537 632 772 888 922 988 1239 2092 5181 5605'.split(' '),
  ),
  names: new Set([
    ...['animals & pet supplies', 'arts & entertainment', 'baby & toddler'],
    ...['business & industrial', 'cameras & optics', 'electronics', 'food, beverages & tobacco'],
    ...['furniture', 'hardware', 'health & beauty', 'home & garden', 'luggage & bags', 'mature'],
    ...['office supplies', 'religious & ceremonial', 'software', 'sporting goods', 'toys & games'],
    'vehicles & parts',
  ]),
}

// Unspecified: below a branch, ids and paths in other languages do not show to which one they
// belong, and are not held to have a number.
function needsNumber(category: string): boolean {
  const [branch = ''] = category.split('>')
  return (
    NEEDS_NUMBER.ids.has(category.trim()) || NEEDS_NUMBER.names.has(branch.trim().toLowerCase())
  )
}

/**
 * https://support.google.com/merchants/answer/6324478: what each product needs depends on its
 * category. Without one, a brand alone may be right.
 */
function identifierFaults(value: Values): RowFault[] {
  const fault = (field: string, expected: string): RowFault[] => [
    { field, kind: 'identifiers', value: value(field) ?? null, expected },
  ]
  const [gtin, mpn, brand] = [value('gtin'), value('mpn'), value('brand')]
  if (isNo(value('identifier_exists'))) {
    return gtin === undefined
      ? []
      : fault('identifier_exists', 'yes, or no gtin: the row states one')
  }
  if (/used|refurbished/i.test(value('condition') ?? '') || gtin !== undefined) return []
  if (brand === undefined && mpn === undefined) {
    return fault('gtin', 'a gtin, or brand and mpn, or identifier_exists: no')
  }
  const category = value('google_product_category')
  return category !== undefined && needsNumber(category) && mpn === undefined
    ? fault('mpn', 'an mpn where there is no gtin, or identifier_exists: no')
    : []
}

/** https://support.google.com/merchants/answer/6324470 */
function availabilityDateFaults(value: Values): RowFault[] {
  const availability = value('availability')?.toLowerCase() ?? ''
  const isLater = availability === 'preorder' || availability === 'backorder'
  return isLater && value('availability_date') === undefined
    ? [
        {
          field: 'availability_date',
          kind: 'dates',
          value: null,
          expected: `a date, because availability is ${availability}`,
        },
      ]
    : []
}
