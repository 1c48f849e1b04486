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

export async function seeWorstFirst(view: View): Promise<void> {
  await view.text('GTIN')
  const labels = await view.all('.gap > summary')
  expect(labels.length).toBeGreaterThanOrEqual(3)
  const ranks = labels.map((label) =>
    ['Critical', 'High', 'Medium', 'Low'].findIndex((name) => label.startsWith(name)),
  )
  expect(ranks).toEqual(ranks.toSorted())
}

export async function auditShop(view: View): Promise<void> {
  await view.press(/^Ask localhost:\d+ to audit shop\.example$/)
  await view.image(/^Score 100 of 100/)
}
