import { renderToString } from 'preact-render-to-string'
import { expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { textsFrom } from '../../../shared/view/texts.ts'
import { MESSAGES } from '../../texts/messages.ts'
import { AppContext, type AppState } from '../app/app-state.ts'
import type { Placement } from '../app/view.ts'

vi.stubGlobal('chrome', fakeBrowser)
const { OptionsView } = await import('./OptionsView.tsx')

const appOn = (placement: Placement): AppState => ({
  text: textsFrom(MESSAGES),
  locale: 'en',
  dates: 'en',
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
  expect(html.includes(MESSAGES.options_elsewhere)).toBe(!hasForm)
})

test('each thing that is sent to a server is told', () => {
  const html = renderToString(
    <AppContext.Provider value={appOn('tab')}>
      <OptionsView />
    </AppContext.Provider>,
  )
  for (const what of ['connect', 'page', 'store', 'walk', 'manifest', 'report'] as const) {
    expect(html).toContain(MESSAGES[`options_data_${what}_what`])
  }
})
