import { fieldsOf, saleFaults, type VendorTable } from './table.ts'

// Data: Meta, product catalog. Fields and their limits as the file that Commerce Manager gives out
// states them in its first row; formats as the reference below does.

const REFERENCE = 'https://developers.facebook.com/docs/marketing-api/catalog/reference'

const field = fieldsOf(REFERENCE)

export const META: VendorTable = {
  vendor: 'Meta',
  page: REFERENCE,
  read: '2026-11-30',
  formats: ['csv', 'tsv', 'rss', 'atom'],
  fields: [
    field('id', 'required', 'text', { most: 100 }),
    field('title', 'required', 'text', { most: 200 }),
    field('description', 'required', 'text', { most: 9999 }),
    // Its file names the first two; its reference of the fields has the others as well.
    field('availability', 'required', 'one_of', {
      one_of: [
        ...['in_stock', 'out_of_stock', 'preorder', 'available_for_order', 'discontinued'],
        ...['pending', 'mark_as_sold'],
      ],
    }),
    field('condition', 'required', 'one_of', {
      one_of: ['new', 'used', 'refurbished', 'used_like_new', 'used_good', 'used_fair', 'cpo'],
    }),
    field('price', 'required', 'price'),
    field('link', 'required', 'url'),
    field('image_link', 'required', 'url'),
    field('brand', 'required', 'text', { most: 100 }),
    field('google_product_category', 'optional', 'category'),
    field('fb_product_category', 'optional', 'category'),
    field('quantity_to_sell_on_facebook', 'optional', 'count', { also: ['inventory'] }),
    field('sale_price', 'optional', 'price'),
    field('sale_price_effective_date', 'optional', 'dates'),
    field('item_group_id', 'optional', 'text', { most: 100 }),
    field('gender', 'optional', 'one_of', { one_of: ['female', 'male', 'unisex'] }),
    field('age_group', 'optional', 'one_of', {
      one_of: ['adult', 'all_ages', 'infant', 'kids', 'newborn', 'teen', 'toddler'],
    }),
    field('color', 'optional', 'text', { most: 200 }),
    field('size', 'optional', 'text', { most: 200 }),
    field('material', 'optional', 'text', { most: 200 }),
    field('pattern', 'optional', 'text', { most: 100 }),
    field('gtin', 'optional', 'gtin'),
    field('shipping', 'optional', 'text'),
    field('mpn', 'optional', 'text', { most: 100 }),
    field('product_type', 'optional', 'text', { most: 750 }),
    field('expiration_date', 'optional', 'date'),
    ...[0, 1, 2, 3, 4].map((n) => field(`custom_label_${n}`, 'optional', 'text', { most: 100 })),
  ],
  conditions: (value) => saleFaults(value),
  group: 'item_group_id',
  variant: ['size', 'color', 'material', 'pattern', 'age_group', 'gender', 'title'],
}
