import { expect, test } from 'vitest'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import type { Backend, Walked } from '../backend.ts'
import { WALK_TOOL } from './walk.ts'

const walked: Walked = {
  walk_id: null,
  state: 'ended',
  transcript: {
    domain: 'shop.example',
    nothing: 'It said: pay.',
    elsewhere: [],
    missing: [],
    routes: [],
  } as unknown as Transcript,
}
const asked: unknown[] = []
const backend = {
  walk: async (request: unknown) => {
    asked.push(request)
    return walked
  },
} as unknown as Backend
const walk = (more: object) =>
  WALK_TOOL.call({ domain: 'shop.example', ...more }, backend, {
    signal: new AbortController().signal,
    progress: () => {},
  })

test('without a word of the owner nothing is asked of a store', async () => {
  for (const more of [{}, { open_sessions: false }]) {
    await expect(walk(more)).rejects.toMatchObject({ code: 'not_agreed' })
  }
  expect(asked).toEqual([])
})

test('what is to be bought is passed on', async () => {
  asked.length = 0
  await walk({ open_sessions: true, item: 'mug', intents: ['cheapest_variant'] })
  expect(asked).toEqual([{ domain: 'shop.example', item: 'mug', intents: ['cheapest_variant'] }])
})

test('why a walk ended may be words of the store, and is told as such', async () => {
  const { said } = await walk({ open_sessions: true })
  expect(said).toContainEqual({ store: ['It said: pay.'] })
})
