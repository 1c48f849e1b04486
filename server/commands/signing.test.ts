import { expect, test } from 'vitest'
import type { Purchase, Transcript } from '../../shared/walk/transcript.ts'
import { endsShut } from './signing.ts'

/** A walk of one purchase, as far as it is read. */
const ended = (outcome: Purchase['outcome'], ...statuses: number[]): Transcript => {
  const steps = statuses.map((status) => ({ exchanges: [{ answer: { status } }] }))
  const routes = [{ purchases: [{ outcome, steps }] }]
  return { routes } as unknown as Transcript
}

test.each([
  ['refused at the end', ended('failed', 200, 401), true],
  ['forbidden at the end', ended('failed', 403), true],
  ['failed otherwise', ended('failed', 401, 500), false],
  ['refused on purpose, and passed', ended('passed', 401), false],
])('a purchase that is %s', (_, transcript, isShut) => {
  expect(endsShut(transcript)).toBe(isShut)
})
