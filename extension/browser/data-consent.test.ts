import { expect, test, vi } from 'vitest'
import { askDataConsent } from './data-consent.ts'

const over = (manifest: object, request: () => Promise<boolean>) => ({
  runtime: { getManifest: () => manifest },
  permissions: { request: vi.fn<(permissions: object) => Promise<boolean>>(request) },
})
const FIREFOX = { browser_specific_settings: { gecko: {} } }

test('Chromium is asked nothing', async () => {
  const browser = over({}, async () => false)
  expect(await askDataConsent(browser)).toBe(true)
  expect(browser.permissions.request).not.toHaveBeenCalled()
})

test.each([true, false])(
  'Firefox is asked within the click, and its answer holds: %s',
  async (answer) => {
    const browser = over(FIREFOX, async () => answer)
    const asked = askDataConsent(browser)
    expect(browser.permissions.request).toHaveBeenCalledExactlyOnceWith({
      data_collection: ['browsingActivity', 'authenticationInfo'],
    })
    expect(await asked).toBe(answer)
  },
)

test('what cannot be asked is not granted', async () => {
  const browser = over(FIREFOX, () => Promise.reject(new Error('no gesture')))
  expect(await askDataConsent(browser)).toBe(false)
})
