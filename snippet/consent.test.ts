import { afterEach, expect, test, vi } from 'vitest'
import { mayStore } from './consent.ts'

afterEach(() => vi.unstubAllGlobals())

const consent = (action: string, analytics_storage?: string, more = {}) => ({
  0: 'consent',
  1: action,
  2: { analytics_storage, ...more },
})
const DENIED = consent('default', 'denied')
const GRANTED = consent('default', 'granted')

test.each([
  ['nothing said', undefined, false, [], true],
  ['required', undefined, true, [], null],
  ['required, then granted', true, true, [], true],
  ['required, then granted to Google', undefined, true, [consent('update', 'granted')], true],
  ['refused', false, false, [], false],
  ['granted to us, denied to Google', true, false, [DENIED], true],
  ['denied by default', undefined, false, [DENIED], null],
  ['granted by default', undefined, false, [GRANTED], true],
  ['denied in one region, granted elsewhere', undefined, false, [DENIED, GRANTED], null],
  ['updated to granted', undefined, false, [DENIED, consent('update', 'granted')], true],
  [
    'updated to granted and back',
    undefined,
    false,
    [DENIED, consent('update', 'granted'), consent('update', 'denied')],
    false,
  ],
  [
    'an update about advertisements alone',
    undefined,
    false,
    [DENIED, consent('update', undefined, { ad_storage: 'granted' })],
    null,
  ],
  ['required, then denied', undefined, true, [consent('update', 'denied')], false],
  ['granted to us, withdrawn from Google', true, false, [consent('update', 'denied')], true],
  ['refused, whatever Google was told', false, false, [consent('update', 'granted')], false],
  ['a command without a state', undefined, false, [{ 0: 'consent', 1: 'update' }], true],
  ['other entries', undefined, false, [{ event: 'gtm.js' }, { 0: 'config', 1: 'G-1' }], true],
])('%s', (_, said, required, layer, expected) => {
  expect(mayStore(said, required, layer)).toBe(expected)
})

test.each([
  ['denied by default', { default: false }, undefined, false, [], null],
  ['denied by default, then updated', { default: false, update: true }, undefined, false, [], true],
  ['refused by the visitor', { default: false, update: false }, undefined, false, [], false],
  ['refused, and granted to us', { update: false }, true, false, [], true],
  ['required, then granted', { default: false, update: true }, undefined, true, [], true],
  ['required, and granted by default', { default: true }, undefined, true, [], null],
  [
    'granted by default in the region of the visitor',
    { default: true },
    undefined,
    false,
    [DENIED, GRANTED],
    true,
  ],
  ['of other kinds alone', {}, undefined, false, [DENIED, consent('update', 'denied')], false],
])("in Google's own state: %s", (_, analytics_storage, said, required, layer, expected) => {
  vi.stubGlobal('google_tag_data', { ics: { entries: { analytics_storage } } })
  expect(mayStore(said, required, layer)).toBe(expected)
})

test.each([undefined, null, {}, { ics: {} }, { ics: { entries: {} } }])(
  "a page with %o in the place of Google's own state: the layer counts",
  (google_tag_data) => {
    vi.stubGlobal('google_tag_data', google_tag_data)
    expect(mayStore(undefined, false, [DENIED])).toBeNull()
    expect(mayStore(undefined, false, [])).toBe(true)
  },
)

test.each([
  [{ globalPrivacyControl: true }, false],
  [{ globalPrivacyControl: false }, true],
  [{ doNotTrack: '1' }, false],
  [{ doNotTrack: '0' }, true],
  [{ doNotTrack: 'unspecified' }, true],
])('a browser that says %o, on a page that was granted consent', (navigator, expected) => {
  vi.stubGlobal('navigator', navigator)
  expect(mayStore(true, false, [])).toBe(expected)
})
