import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page, PageScreenshotOptions } from 'playwright-core'
import { inject } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Writes `screenshots/<name>.png` for a person to check, if SCREENSHOTS=1. */
export async function shoot(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (!inject('screenshots')) return
  await page.screenshot({ ...options, path: `screenshots/${name}.png`, animations: 'disabled' })
}

/** Scripts have reacted to the new colour scheme before the next frame. */
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))'

/**
 * Colours with a transition, such as Swagger UI's, are checked at its end. `getAnimations` applies
 * pending styles first (Web Animations 1, 3.14), so all have begun; endless ones are left alone.
 */
const END_TRANSITIONS = `for (const animation of document.getAnimations()) {
  if (animation instanceof CSSTransition) animation.finish()
}`

/**
 * What axe finds wrong with the page. Only colours depend on the colour scheme, so in the dark only
 * they are checked; `light` runs every rule.
 */
export async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  await page.evaluate(NEXT_FRAME)
  await page.evaluate(END_TRANSITIONS)
  const only = colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : ''
  // The rest of its results lists every element of the page, for every rule.
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run({ resultTypes: ['violations']${only} }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
