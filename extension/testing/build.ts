import { fileURLToPath } from 'node:url'
import { onceInRun } from '../../shared/testing/once-in-run.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const hush = () => {}
/** Silences the builds of wxt, which would draw over the report of the tests. */
export const silent = {
  debug: hush,
  log: hush,
  info: hush,
  warn: hush,
  error: hush,
  fatal: hush,
  success: hush,
  level: 0,
}

type Target = 'chrome' | 'firefox'

/** Builds the extension as it is shipped, plus the grant that only a click could give. */
export async function buildForTests(outDir: string, browser: Target = 'chrome'): Promise<string> {
  // It takes a second to load: only builds need it.
  const { build } = await import('wxt')
  await build({ root: ROOT, mode: 'e2e', browser, outDir, logger: silent })
  return `${outDir}/${browser}-mv3-e2e`
}

/** The folder of that extension, built once for all tests of the run. */
export async function builtForTests(browser: Target = 'chrome'): Promise<string> {
  const folder = await onceInRun(`extension-${browser}`, (outDir) => buildForTests(outDir, browser))
  return `${folder}/${browser}-mv3-e2e`
}
