import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const MOST_STOPS = 150

/** Where the focus is: what a person reads there, and whether its outline is drawn. */
const FOCUS = `(() => {
  const element = document.activeElement
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return {
    name: name.replace(/\\s+/g, ' ').trim(),
    tag: element.localName,
    isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0,
  }
})()`

interface Focus {
  name: string
  tag: string
  isSeen: boolean
}

/**
 * Presses Tab until the element of that name has the focus, like a person without a mouse. At each
 * stop the focus has to be seen; one that never moves on is a trap, and ends the test as well.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  while (passed.length < MOST_STOPS) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus>(FOCUS)
    if (focus.tag !== 'body') {
      expect(focus, 'the focus is seen').toMatchObject({ isSeen: true })
    }
    if (typeof name === 'string' ? focus.name === name : name.test(focus.name)) return
    passed.push(focus.tag === 'body' ? '(the window)' : focus.name)
  }
  expect.fail(`no stop is named ${name}: ${passed.join(' | ')}`)
}
