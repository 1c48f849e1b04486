import { renderToString } from 'preact-render-to-string'
import { expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { AppContext, type AppState } from '../app/app-state.ts'
import type { Placement } from '../app/view.ts'

vi.stubGlobal('chrome', fakeBrowser)
const { OptionsView } = await import('./OptionsView.tsx')

const appOn = (placement: Placement): AppState => ({
  server: null,
  page: {
    tab: null,
    domain: null,
    audit: null,
    refusal: null,
    isChecking: false,
    check: () => {},
    show: async () => false,
  },
  placement,
  view: 'options',
  go: () => {},
})

test.each<[Placement, boolean]>([
  ['popup', false],
  ['panel', true],
  ['tab', true],
  ['options', true],
])('whether the key is typed in a %s: %s', (placement, hasForm) => {
  const html = renderToString(
    <AppContext.Provider value={appOn(placement)}>
      <OptionsView />
    </AppContext.Provider>,
  )
  expect(html.includes('id="api-key"')).toBe(hasForm)
  expect(html.includes('The options open in a tab')).toBe(!hasForm)
})

test('each thing that is sent to a server is told', () => {
  const html = renderToString(
    <AppContext.Provider value={appOn('tab')}>
      <OptionsView />
    </AppContext.Provider>,
  )
  for (const sent of [
    'test the connection</th><td>Your key, to your server.',
    'audit a page</th><td>Nothing. The page is only fetched once more from its own store',
    'ask for an audit of a store</th><td>Its domain name and your key, to your server.',
    'walk a purchase</th><td>Its domain name and your key, to your server, which opens checkouts',
    'open Manifest, create or validate a file</th><td>The open store is asked for its own file.',
    'open Report</th><td>Your key, the range and the domain, to your server',
  ]) {
    expect(html).toContain(sent)
  }
})
