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

/**
 * Elements that hide a part of their text on the right or below without an ellipsis or a scrollbar.
 * What is for screen readers alone is one pixel wide; a field scrolls with its caret.
 */
export const cutOff = (page: Page): Promise<string[]> => page.evaluate<string[]>(CUT_OFF)

const CUT_OFF = `[...document.querySelectorAll('body *')].filter((element) => {
  const { overflowX, overflowY, textOverflow, display } = getComputedStyle(element)
  if (display === 'inline' || element.clientWidth < 2 || element.matches('svg, svg *, input, textarea, select')) return false
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip'
  return (
    (hides(overflowX) && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1) ||
    (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
  )
}).map((element) => element.outerHTML.slice(0, 200))`

/** Texts that stay below `pixels`; those of a drawing grow with it, not with the text. */
export const textBelow = (page: Page, pixels: number): Promise<string[]> =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('body *:not(svg, svg *)')].filter((element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '') &&
    element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < ${pixels}
  ).map((element) => element.outerHTML.slice(0, 200))`)
