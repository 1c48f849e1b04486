import { expect, test } from 'vitest'
import type { FeedOptIns, FeedVendor } from '../../../commerce/feed.ts'
import { noOptIns } from './opt-ins.ts'
import { countRow, emptyTally } from './tally.ts'

const GOOGLE = {
  id: 'T-1',
  title: 'Tent',
  description: 'Two people, three seasons.',
  link: 'https://shop.example/p/1',
  image_link: 'https://shop.example/tent.jpg',
  availability: 'in_stock',
  price: '249.00 USD',
  brand: 'Fjell',
  gtin: '4006381333931',
}
const OPENAI = {
  item_id: 'T-1',
  title: 'Tent',
  description: 'Two people, three seasons.',
  url: 'https://shop.example/p/1',
  image_url: 'https://shop.example/tent.jpg',
  brand: 'Fjell',
  seller_name: 'Shop',
  availability: 'in_stock',
  price: '249.00 USD',
}
const NATIVE = 'native_commerce(checkout_eligibility)'
const TYPE = 'consumer_notice(consumer_notice_type)'
const MESSAGE = 'consumer_notice(consumer_notice_message)'
const TERMS = {
  seller_privacy_policy: 'https://shop.example/privacy',
  seller_tos: 'https://shop.example/terms',
}

const countsOf = (vendor: FeedVendor | null, ...rows: object[]): FeedOptIns => {
  const tally = emptyTally()
  for (const row of rows) countRow(tally, new Map(Object.entries(row)), vendor)
  return tally.opt_ins
}

const SOLD = { checkout: 1, checkout_ready: 1 }
const SHOWN = { search: 1, search_ready: 1 }

test.each<[string, FeedVendor, object, Partial<FeedOptIns>]>([
  ['nothing said', 'google', {}, {}],
  ['the part of the group', 'google', { [NATIVE]: 'true' }, SOLD],
  ['the older name', 'google', { native_commerce: 'Yes' }, SOLD],
  ['the part before the older name', 'google', { [NATIVE]: 'true', native_commerce: 'no' }, SOLD],
  ['opted out', 'google', { [NATIVE]: 'FALSE' }, { checkout_off: 1 }],
  ['neither', 'google', { [NATIVE]: 'maybe' }, {}],
  ['without a title', 'google', { [NATIVE]: 'true', title: '' }, { checkout: 1 }],
  ['a price in words', 'google', { [NATIVE]: 'true', price: 'cheap' }, { checkout: 1 }],
  ['a title that is cut', 'google', { [NATIVE]: 'true', title: 'T'.repeat(200) }, SOLD],
  ['a notice', 'google', { [TYPE]: 'prop_65', [MESSAGE]: 'It warms.' }, { notices: 1 }],
  ['half a notice', 'google', { [TYPE]: 'prop_65' }, { notices: 1, notices_broken: 1 }],
  ['a notice in one cell', 'google', { consumer_notice: 'prop_65:It warms.' }, { notices: 1 }],
  ['no kind', 'google', { consumer_notice: 'It warms.' }, { notices: 1, notices_broken: 1 }],
  ['nothing said', 'openai', {}, SHOWN],
  ['not shown', 'openai', { is_eligible_search: 'false' }, {}],
  ['not shown, by the older name', 'openai', { enable_search: 'false' }, {}],
  ['a flag in capitals', 'openai', { is_eligible_search: 'TRUE' }, { search: 1 }],
  ['without a brand', 'openai', { brand: '' }, { search: 1 }],
  ['sold', 'openai', { is_eligible_checkout: 'true', ...TERMS }, { ...SHOWN, ...SOLD }],
  ['sold, no terms', 'openai', { is_eligible_checkout: 'true' }, { ...SHOWN, checkout: 1 }],
  [
    'sold, not shown',
    'openai',
    { is_eligible_checkout: 'true', is_eligible_search: 'false', ...TERMS },
    { checkout: 1 },
  ],
  ['not sold', 'openai', { is_eligible_checkout: 'false' }, { ...SHOWN, checkout_off: 1 }],
])('%s, for %s', (_, vendor, more, expected) => {
  const row = { ...(vendor === 'google' ? GOOGLE : OPENAI), ...more }
  const stated = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
  expect(countsOf(vendor, stated)).toEqual({ ...noOptIns(), ...expected })
})

test('the second row of an id does not qualify', () => {
  expect(countsOf('openai', OPENAI, OPENAI)).toMatchObject({ search: 2, search_ready: 1 })
})

test('the list of a platform opts in to nothing', () => {
  expect(countsOf(null, { ...GOOGLE, [NATIVE]: 'true' })).toEqual(noOptIns())
})
