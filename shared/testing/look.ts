import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page, PageScreenshotOptions } from 'playwright-core'
import { inject } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Leaves `screenshots/<name>.png` for a person to look at, where SCREENSHOTS=1 asks for it. */
export async function shoot(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (!inject('screenshots')) return
  await page.screenshot({ ...options, path: `screenshots/${name}.png`, animations: 'disabled' })
}

/** What a script changes when the colour scheme changes, it has changed before the next frame. */
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))'

/**
 * Colours that change over a time, as Swagger UI's do with the colour scheme, are judged where they
 * arrive. `getAnimations` applies pending styles first (Web Animations 1, 3.14), so that none is
 * still to begin; what runs for ever has no end to go to.
 */
const END_TRANSITIONS = `for (const animation of document.getAnimations()) {
  if (animation instanceof CSSTransition) animation.finish()
}`

/**
 * What axe finds wrong with the page. Colours are all that depends on the colour scheme, so in the
 * dark only they are judged; `light` judges by every rule.
 */
export async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  await page.evaluate(NEXT_FRAME)
  await page.evaluate(END_TRANSITIONS)
  const only = colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : ''
  // The rest of its results is every element of the page, for every rule.
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run({ resultTypes: ['violations']${only} }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
