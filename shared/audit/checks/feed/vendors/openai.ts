import type { RowFault } from '../../../../commerce/feed.ts'
import { gtinProblem } from '../../../../commerce/gtin.ts'
import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: OpenAI, product feed by file upload. The newer name of each field comes first.

const SPEC = 'https://developers.openai.com/commerce/specs/file-upload/products'

/** The newer page: it asks for two fields more. Its other rows are those of the older one. */
const NEWER_SPEC = 'https://developers.openai.com/commerce/specs/feed'

const field = fieldsOf(SPEC)
const newer = fieldsOf(NEWER_SPEC)

/** https://developers.openai.com/commerce/specs/file-upload/overview */
const FORMATS = ['parquet', 'jsonl', 'csv', 'tsv'] as const

const SIZE_SYSTEMS = ['us', 'uk', 'eu', 'de', 'fr', 'jp', 'cn', 'it', 'br', 'mex', 'au']

export const OPENAI: VendorTable = {
  vendor: 'OpenAI',
  page: SPEC,
  read: '2026-12-01',
  formats: FORMATS,
  fields: [
    field('item_id', 'required', 'name', { also: ['id', 'sku'] }),
    field('title', 'required', 'name', { most: 150 }),
    field('description', 'required', 'name', { most: 5000 }),
    field('url', 'required', 'url', { also: ['link'] }),
    field('image_url', 'required', 'url', { also: ['image_link'] }),
    field('brand', 'required', 'name'),
    field('seller_name', 'required', 'name'),
    field('availability', 'required', 'one_of', {
      one_of: ['in_stock', 'out_of_stock', 'pre_order', 'backorder', 'unknown'],
    }),
    field('price', 'required', 'price'),
    field('is_eligible_search', 'optional', 'lower_boolean', {
      also: ['enable_search'],
      refused: true,
    }),
    field('is_eligible_checkout', 'optional', 'lower_boolean', { also: ['enable_checkout'] }),
    field('is_ads_eligible', 'optional', 'lower_boolean', { also: ['is_eligible_ads'] }),
    field('ads_metadata', 'optional', 'map'),
    field('seller_privacy_policy', 'conditional', 'url'),
    field('seller_tos', 'conditional', 'url'),
    field('group_id', 'conditional', 'text', { also: ['item_group_id'] }),
    field('listing_has_variations', 'conditional', 'lower_boolean'),
    field('variant_dict', 'conditional', 'map'),
    field('sale_price', 'optional', 'price'),
    field('availability_date', 'optional', 'date'),
    field('gtin', 'optional', 'gtin'),
    field('condition', 'optional', 'one_of', { one_of: ['new', 'refurbished', 'used'] }),
    field('gender', 'optional', 'one_of', { one_of: ['male', 'female', 'unisex'] }),
    field('age_group', 'optional', 'one_of', {
      one_of: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
    }),
    field('shipping_price', 'optional', 'fee'),
    field('shipping', 'optional', 'shipping'),
    field('accepts_returns', 'optional', 'lower_boolean'),
    field('return_deadline_in_days', 'optional', 'count', { also: ['return_window'] }),
    field('return_policy', 'optional', 'url'),
    field('seller_url', 'optional', 'url'),
    field('review_count', 'optional', 'count'),
    field('star_rating', 'optional', 'rating'),
    field('target_countries', 'optional', 'countries'),
    field('store_country', 'optional', 'country'),
    field('offer_id', 'optional', 'text'),
    field('mpn', 'optional', 'name'),
    field('product_category', 'optional', 'text'),
    field('material', 'optional', 'text'),
    field('color', 'optional', 'text'),
    field('size', 'optional', 'text'),
    field('size_system', 'optional', 'one_of', { one_of: SIZE_SYSTEMS }),
    field('dimensions', 'optional', 'map'),
    field('length', 'optional', 'decimal'),
    field('width', 'optional', 'decimal'),
    field('height', 'optional', 'decimal'),
    field('dimensions_unit', 'conditional', 'one_of', { one_of: ['in', 'cm', 'ft', 'm', 'mm'] }),
    field('weight', 'optional', 'decimal'),
    field('item_weight_unit', 'conditional', 'one_of', { one_of: ['g', 'kg', 'oz', 'lb'] }),
    field('additional_image_urls', 'optional', 'text'),
    field('marketplace_seller', 'conditional', 'name'),
    field('store_review_count', 'optional', 'count'),
    field('store_star_rating', 'optional', 'rating'),
    field('accepts_exchanges', 'optional', 'lower_boolean'),
    field('is_digital', 'optional', 'lower_boolean'),
  ],
  conditions: (value) => [
    ...eligibilityFaults(value),
    ...variantFaults(value),
    ...unitFaults(value),
    ...saleFaults(value),
  ],
  group: 'group_id',
  variant: ['variant_dict', 'color', 'size', 'material', 'gender', 'age_group', 'title'],
}

/** What the newer page asks for: the market of each row. */
export const OPENAI_NEWER: VendorTable = {
  ...OPENAI,
  page: NEWER_SPEC,
  read: '2026-11-30',
  older: SPEC,
  fields: [
    ...OPENAI.fields.filter(({ name }) => !['target_countries', 'store_country'].includes(name)),
    newer('target_countries', 'required', 'countries', { newer: true }),
    newer('store_country', 'required', 'country', { newer: true }),
  ],
}

/**
 * Section "Google-compatible product data feeds": rows in Google's names, which are taken once
 * OpenAI has confirmed it for a feed.
 */
export const OPENAI_OF_GOOGLE: VendorTable = {
  vendor: 'OpenAI',
  page: SPEC,
  read: '2026-12-01',
  note: `OpenAI takes rows in Google's names once it has confirmed that for a feed. Its newer page, ${NEWER_SPEC}, does not mention them, and asks every row for target_countries and store_country.`,
  formats: ['tsv', 'csv'],
  // "Invalid relationships reject the row."
  refuses: ['sale'],
  fields: [
    field('id', 'required', 'name'),
    field('title', 'required', 'name', { most: 150 }),
    field('description', 'required', 'name', { most: 5000 }),
    field('link', 'required', 'url'),
    field('image_link', 'required', 'url'),
    field('availability', 'required', 'one_of', {
      one_of: ['in_stock', 'out_of_stock', 'preorder', 'backorder'],
    }),
    field('price', 'required', 'price', { free_with: ['subscription_cost'] }),
    field('brand', 'required', 'name'),
    field('gtin', 'conditional', 'gtin'),
    field('mpn', 'conditional', 'text'),
    field('identifier_exists', 'optional', 'boolean'),
    field('availability_date', 'conditional', 'date'),
    field('sale_price', 'optional', 'price'),
    field('sale_price_effective_date', 'optional', 'dates'),
    field('expiration_date', 'optional', 'date'),
    field('item_group_id', 'conditional', 'text'),
    field('condition', 'optional', 'one_of', { one_of: ['new', 'refurbished', 'used'] }),
    field('gender', 'optional', 'one_of', { one_of: ['male', 'female', 'unisex'] }),
    field('age_group', 'optional', 'one_of', {
      one_of: ['newborn', 'infant', 'toddler', 'kids', 'adult'],
    }),
    field('additional_image_link', 'optional', 'text'),
    field('color', 'optional', 'text'),
    field('size', 'optional', 'text'),
    field('material', 'optional', 'text'),
    field('pattern', 'optional', 'text'),
    field('size_type', 'optional', 'text'),
    field('size_system', 'optional', 'one_of', { one_of: SIZE_SYSTEMS }),
    field('product_type', 'optional', 'text'),
    field('google_product_category', 'optional', 'category'),
    field('subscription_cost', 'conditional', 'text'),
  ],
  conditions: (value) => [...compatibleFaults(value), ...saleFaults(value)],
  group: 'item_group_id',
  variant: ['color', 'size', 'material', 'pattern', 'gender', 'age_group', 'size_type', 'title'],
}

function compatibleFaults(value: Values): RowFault[] {
  const lacks = (field: string, expected: string): RowFault[] =>
    value(field) === undefined ? [{ field, kind: 'missing', value: null, expected }] : []
  const gtin = value('gtin')
  const hasNumber = value('mpn') !== undefined || (gtin !== undefined && gtinProblem(gtin) === null)
  const isNone = /^(?:no|false)$/i.test(value('identifier_exists') ?? '')
  const later = /^(?:preorder|backorder)$/i.test(value('availability') ?? '')
  return [
    ...(hasNumber || isNone
      ? []
      : lacks('mpn', 'an mpn or a valid gtin, or identifier_exists: no')),
    ...(later ? lacks('availability_date', `a date, because of ${value('availability')}`) : []),
  ]
}

type Values = (name: string) => string | undefined

/** Section "Checkout": what may be bought must be found, and comes with the seller's terms. */
function eligibilityFaults(value: Values): RowFault[] {
  if (value('is_eligible_checkout') !== 'true') return []
  const fault = (field: string, expected: string): RowFault => ({
    field,
    kind: 'eligibility',
    value: value(field) ?? null,
    expected,
  })
  const search = value('is_eligible_search')
  return [
    ...(search === 'false'
      ? [fault('is_eligible_search', 'true, because is_eligible_checkout is true')]
      : []),
    ...['seller_privacy_policy', 'seller_tos']
      .filter((name) => value(name) === undefined)
      .map((name) => fault(name, 'a URL, because is_eligible_checkout is true')),
  ]
}

/** Measures without their unit: "no unit conversion or inference". */
function unitFaults(value: Values): RowFault[] {
  const lacks = (unit: string, names: readonly string[], expected: string): RowFault[] => {
    const measure = names.find((name) => value(name) !== undefined)
    return measure === undefined || value(unit) !== undefined
      ? []
      : [{ field: unit, kind: 'invalid', value: null, expected: `${expected}, for ${measure}` }]
  }
  return [
    ...lacks('dimensions_unit', ['length', 'width', 'height'], 'one of in, cm, ft, m, mm'),
    ...lacks('item_weight_unit', ['weight'], 'one of g, kg, oz, lb'),
  ]
}

/** Section "Variants": three fields that only together say which products are one. */
function variantFaults(value: Values): RowFault[] {
  const names = ['group_id', 'listing_has_variations', 'variant_dict']
  const group = value('group_id')
  const isVariant = value('listing_has_variations') === 'true' || value('variant_dict')
  if (!isVariant) return []
  const missing: RowFault[] = names
    .filter((name) => value(name) === undefined)
    .map((name) => ({
      field: name,
      kind: 'variants',
      value: null,
      expected: `all of ${names.join(', ')} for a variant`,
    }))
  if (group !== undefined && group === value('item_id')) {
    const expected = 'an id of the group, which is not that of an item'
    missing.push({ field: 'group_id', kind: 'variants', value: group, expected })
  }
  return missing
}
