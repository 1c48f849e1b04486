import { expect } from 'vitest'

/** The app as a person sees it, whichever tool drives the browser. */
export interface View {
  /** Resolves when the words are shown. */
  text: (words: string | RegExp) => Promise<void>
  /** Resolves when an image of that name is shown. */
  image: (name: string | RegExp) => Promise<void>
  /** Clicks the button, tab or summary of that name, once it is there. */
  press: (name: string | RegExp) => Promise<void>
  /** The texts of all elements. */
  all: (selector: string) => Promise<string[]>
}

// What must be the same in every browser.

export async function seeFaultlessPage(view: View): Promise<void> {
  await view.text('nothing was sent')
  await view.image('This page: 100 of 100')
  const found = (await view.all('section')).filter((text) => text.startsWith('What was found'))
  expect(found).toEqual([expect.stringMatching(/Products\n.+\n[\d.]+ USD, InStock/)])
}

/** Three fixes whose sum adds up, then the rest by what it is about. */
export async function seeFixesFirst(view: View): Promise<void> {
  await view.text('GTIN')
  const [title = ''] = (await view.all('h2')).filter((text) => text.startsWith('Fix first'))
  const sums = (await view.all('.gap > summary')).map((text) => /(\d+) → (\d+)/.exec(text))
  const steps = sums.flatMap((sum) => (sum === null ? [] : [sum.slice(1)]))
  expect(steps).toHaveLength(3)
  expect(sums.slice(0, 3)).not.toContain(null)
  expect(sums.length).toBeGreaterThan(3)
  expect(steps.slice(1).map(([before]) => before)).toEqual(steps.slice(0, 2).map(([, to]) => to))
  expect(title).toBe(`Fix first: ${steps[0]?.[0]} → ${steps[2]?.[1]}`)
}

export async function auditShop(view: View): Promise<void> {
  await view.press(/^Ask localhost:\d+ to audit shop\.example$/)
  await view.image(/^Score 100 of 100/)
}
