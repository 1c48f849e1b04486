import { expect, test } from 'vitest'
import { surfaceIdOf } from './events.ts'
import { SURFACES } from './surfaces.ts'

test.each<[unknown, string | null]>([
  ['chatgpt', 'chatgpt'],
  ['my__assistant_', 'my__assistant_'],
  ['ChatGPT', 'chatgpt'],
  ['Chat Assistant', 'chat_assistant'],
  ['chat-assistant', 'chat_assistant'],
  [' Google AI  Mode ', 'google_ai_mode'],
  ['ＣｈａｔＧＰＴ', 'chatgpt'],
  ['gpt-4.1', 'gpt_4_1'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), null],
  ['x'.repeat(500), null],
  ['', null],
  ['  ', null],
  ['4o', null],
  ['助手', null],
  ['card 4242 4242 4242 4242', null],
  ['x4242424242424242', null],
  ['x_4242__4242_4242_4242', null],
  [7, null],
  [null, null],
  [{ name: 'chatgpt' }, null],
])('%j is %j', (declared, id) => {
  expect(surfaceIdOf(declared)).toBe(id)
})

test('every listed surface stays as it is', () => {
  for (const { id } of SURFACES) expect(surfaceIdOf(id)).toBe(id)
})
