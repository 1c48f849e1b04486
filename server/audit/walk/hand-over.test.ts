import { expect, test } from 'vitest'
import { PICTURE_BYTES } from '../../../shared/walk/pages/pages-kept.ts'
import type { Browsers } from '../browser/browser.ts'
import { createArrive, keptWithWalk } from './hand-over.ts'

/** A browser that notes what it is asked to open. */
function noting(answer: object = { unseen: 'failed', why: 'It ended.' }) {
  const asked: unknown[] = []
  const browsers = {
    run: async (_: string, input: unknown) => {
      asked.push(input)
      return answer
    },
  } as unknown as Browsers
  return { asked, handOver: { browsers, keepPicture: null } }
}
const AROUND = { consent: async () => null, taken: () => [], signal: undefined, isClosed: false }
const LINK = 'https://shop.example/checkout/1'

test('a link of another store, or of one that is closed to a browser, is not opened', async () => {
  const { asked, handOver } = noting()
  const foreign = { ...AROUND, consent: async () => 'It is another store.' }
  expect(await createArrive(handOver, foreign)(LINK)).toEqual({
    tree: null,
    elsewhere: 'It leads to shop.example, which is not a host of the store.',
  })
  expect(await createArrive(handOver, { ...AROUND, isClosed: true })(LINK)).toEqual({
    unseen: expect.stringContaining('The store is closed'),
    isOurs: false,
  })
  expect(asked).toEqual([])
})

test('what another browser might see is told apart from what none will', async () => {
  const ours = noting()
  expect(await createArrive(ours.handOver, AROUND)(LINK)).toEqual({
    unseen: 'It ended.',
    isOurs: true,
  })
  const none = noting({ unseen: 'no_browser', why: 'There is none.' })
  expect(await createArrive(none.handOver, AROUND)(LINK)).toMatchObject({ isOurs: false })
})

test('pictures are kept with the walk while there is room, and a failure keeps none', async () => {
  const kept: number[] = []
  const keep = keptWithWalk(async (n, { length }) => {
    if (length === 1) throw new Error('The database is away.')
    kept.push(n)
  })
  expect(await keep(new Uint8Array(PICTURE_BYTES + 1))).toBeNull()
  expect(await keep(new Uint8Array(1))).toBeNull()
  const paths: (string | null)[] = []
  for (let n = 0; n < 11; n++) paths.push(await keep(new Uint8Array(PICTURE_BYTES)))
  expect(kept).toEqual([102, 103, 104, 105, 106, 107, 108, 109, 110])
  expect(paths.slice(0, 2)).toEqual(['pictures/102', 'pictures/103'])
  expect(paths.slice(9)).toEqual([null, null])
})
