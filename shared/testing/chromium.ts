import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { scratchFolder } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A missing browser fails the run instead of skipping its browser tests. */
    browserRequired: boolean
    /** The path of the browser; null if there is none, and browser tests are skipped. */
    browserPath: string | null
    /** The same without a window, which starts and loads faster; null if there is none. */
    headlessShellPath: string | null
    /** The folder of the browsers' profiles; deleted with the run. */
    profiles: string
    /** Screenshots of every view are left in `screenshots/`. */
    screenshots: boolean
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

// Debian's wrapper in /usr/bin adds its own flags: the real browser comes first.
const PLACES = [
  '/usr/lib/chromium/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const PACKAGES = ['chromium', 'chromium-headless-shell', 'fonts-liberation']

const HEADLESS_SHELLS = ['/usr/lib/chromium/chromium-headless-shell']

/** Finds the browser before the browser tests, and installs it if that needs no password. */
export default async function setUp(project: TestProject) {
  const required = project.config.provide.browserRequired
  const path = findChromium() ?? installChromium()
  if (path === null && required) {
    throw new Error(
      'No Chromium for the browser tests. Install it: apt-get install chromium, or npx playwright-core install chromium.',
    )
  }
  project.provide('browserPath', path)
  project.provide('headlessShellPath', HEADLESS_SHELLS.find(existsSync) ?? null)
  const profiles = await mkdtemp(join(scratchFolder(), 'aisle-profiles-'))
  project.provide('profiles', profiles)
  return () => rm(profiles, { recursive: true, force: true, maxRetries: 5 })
}

/** The path of a Chromium or Chrome on this machine; null if there is none. */
const findChromium = (): string | null =>
  PLACES.find(existsSync) ?? onPath() ?? [chromium.executablePath()].find(existsSync) ?? null

const onPath = (): string | undefined => {
  const script = NAMES.map((name) => `command -v ${name}`).join(' || ')
  try {
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/** As root on Debian, the usual container; other users are not asked for a password. */
function installChromium(): string | null {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!mayInstall) return null
  const aptGet = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'inherit' })
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...PACKAGES)
  } catch {
    // apt-get's own message is above.
  }
  return findChromium()
}
