import { expect, test } from 'vitest'
import { visitEvent } from './visit-event.ts'

const of = (referrer: string) =>
  visitEvent(
    {
      id: '1790000000000-1',
      referrer,
      landing: 'https://shop.example/?utm_source=chatgpt.com',
      surface: 'chatgpt',
    },
    {
      domain: 'shop.example',
      property_id: 'prop_1',
      origins: ['https://shop.example', 'https://*.laden.example'],
      ts: new Date(),
      caller: {},
    },
  )

test.each([
  [
    'another site of the property that sends its visitors on',
    'https://www.laden.example',
    'chatgpt',
    0.85,
  ],
  ['a site where the link was copied to', 'https://github.com', 'chatgpt', 0.43],
  ['one that is named like the property', 'https://laden.example.evil.example', 'chatgpt', 0.43],
])('%s', (_, referrer, surface, confidence) => {
  expect(of(referrer).classification).toMatchObject({ surface, confidence })
})

test('no more is kept of a page of the property than of a visit from nowhere', () => {
  expect(of('https://www.laden.example').properties).toMatchObject({ referrer: '' })
  expect(of('https://chatgpt.com').properties).toMatchObject({ referrer: 'https://chatgpt.com/' })
})
