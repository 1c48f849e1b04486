import type { RowFault } from '../../../../commerce/feed.ts'
import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: OpenAI, product feed by file upload. The newer name of each field comes first.

const SPEC = 'https://developers.openai.com/commerce/specs/file-upload/products'

const field = fieldsOf(SPEC)

export const OPENAI: VendorTable = {
  vendor: 'OpenAI',
  fields: [
    field('item_id', 'required', 'name', { also: ['id', 'sku'] }),
    field('title', 'required', 'name', { most: 150 }),
    field('description', 'required', 'name', { most: 5000 }),
    field('url', 'required', 'url', { also: ['link'] }),
    field('image_url', 'required', 'url', { also: ['image_link'] }),
    field('brand', 'required', 'name'),
    field('seller_name', 'required', 'name'),
    field('availability', 'required', 'one_of', {
      // `preorder` is the older name.
      one_of: ['in_stock', 'out_of_stock', 'pre_order', 'preorder', 'backorder', 'unknown'],
    }),
    field('price', 'required', 'price'),
    field('is_eligible_search', 'optional', 'lower_boolean', { also: ['enable_search'] }),
    field('is_eligible_checkout', 'optional', 'lower_boolean', { also: ['enable_checkout'] }),
    field('is_ads_eligible', 'optional', 'lower_boolean'),
    field('seller_privacy_policy', 'conditional', 'url'),
    field('seller_tos', 'conditional', 'url'),
    field('group_id', 'conditional', 'text', { also: ['item_group_id'] }),
    field('listing_has_variations', 'conditional', 'lower_boolean'),
    field('variant_dict', 'conditional', 'map'),
    field('sale_price', 'optional', 'price'),
    field('availability_date', 'optional', 'date'),
    field('gtin', 'optional', 'gtin'),
    field('condition', 'optional', 'one_of', {
      one_of: ['new', 'refurbished', 'used', 'secondhand'],
    }),
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
    field('store_country', 'optional', 'country'),
  ],
  conditions: (value) => [
    ...eligibilityFaults(value),
    ...variantFaults(value),
    ...saleFaults(value),
  ],
  group: 'group_id',
  variant: ['variant_dict', 'color', 'size', 'material', 'gender', 'age_group', 'title'],
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
