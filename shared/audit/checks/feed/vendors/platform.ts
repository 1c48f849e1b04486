import type { FeedField, VendorTable } from './table.ts'

// Unspecified: the product list of a platform must say of a product what every vendor asks for, in
// any form: it is not uploaded as it is.
const SPEC = 'https://support.google.com/merchants/answer/7052112'

const REQUIRED = ['id', 'title', 'description', 'link', 'image_link', 'availability', 'price']

export const PLATFORM: VendorTable = {
  vendor: 'any reader',
  page: SPEC,
  read: '2026-11-22',
  fields: [
    ...REQUIRED.map(
      (name): FeedField => ({
        name,
        need: 'required',
        kind: 'text',
        source: SPEC,
      }),
    ),
    { name: 'gtin', need: 'optional', kind: 'gtin', source: 'https://www.gs1.org/standards' },
  ],
  conditions: () => [],
  group: 'item_group_id',
  variant: ['title'],
}
