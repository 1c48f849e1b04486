import { existsSync } from 'node:fs'

// Debian's wrapper in /usr/bin adds its own flags: the real browser comes first.
const PLACES = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The browser's program: that of the setting BROWSER, else a Chromium or Chrome of this machine;
 * null if there is none, or the setting is `none`. Throws for a setting that names no file.
 */
export function findBrowser(setting: string | undefined): string | null {
  if (setting === 'none') return null
  if (setting === undefined) return PLACES.find((path) => existsSync(path)) ?? null
  if (existsSync(setting)) return setting
  throw new Error(`BROWSER: there is no file ${setting}. Name a Chromium or Chrome, or "none".`)
}
