import { renderToString } from 'preact-render-to-string'
import { expect, test, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { ALL_TEXTS } from '../../texts/all-texts.ts'
import { createSay } from '../../texts/say.ts'
import { type Session, SessionContext, type Surface } from '../app-state.ts'

vi.stubGlobal('chrome', fakeBrowser)
const { OptionsView } = await import('./OptionsView.tsx')

const sessionOn = (surface: Surface): Session => ({
  say: createSay(ALL_TEXTS),
  locale: 'en',
  server: null,
  page: {
    tab: null,
    audit: null,
    refusal: null,
    isChecking: false,
    check: () => {},
    show: async () => false,
  },
  surface,
  view: 'options',
  go: () => {},
})

test.each<[Surface, boolean]>([
  ['popup', false],
  ['panel', true],
  ['tab', true],
  ['options', true],
])('whether the key is typed in a %s: %s', (surface, hasForm) => {
  const html = renderToString(
    <SessionContext.Provider value={sessionOn(surface)}>
      <OptionsView />
    </SessionContext.Provider>,
  )
  expect(html.includes('id="api-key"')).toBe(hasForm)
  expect(html.includes(ALL_TEXTS.options_elsewhere)).toBe(!hasForm)
})
