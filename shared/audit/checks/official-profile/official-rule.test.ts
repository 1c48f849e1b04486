import { expect, test } from 'vitest'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { ManifestSeen } from '../../evidence.ts'
import { seenProfile } from './official-rule.ts'

const seen = (value: unknown): ManifestSeen => {
  const fetched = answerFrom('https://shop.example/.well-known/ucp')
  const found = { fetched, json: { ok: true as const, value } }
  return { ...found, www: found }
}

test('a profile is inspected once, and another one for itself', () => {
  const manifest = seen({ ucp: { version: '2026-04-08' } })
  expect(seenProfile(manifest)).toBe(seenProfile(manifest))
  expect(seenProfile(manifest).dialect).toBe('2026-04-08')
  expect(seenProfile(seen({})).dialect).toBe('unknown')
})
