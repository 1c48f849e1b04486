import { expect, test } from 'vitest'
import {
  AGENT_TOKENS_PATTERN,
  APP,
  namedAgent,
  AGENTS as TABLE,
} from '../shared/attribution/agents.ts'
import { isAgent } from './seen.ts'

const FILE = `/** The agents of AI products by the tokens of their User-Agents. Written by its test. */
export const AGENT_PATTERN: RegExp =
  /(?:^|[^\\w.-])(?:${AGENT_TOKENS_PATTERN})(?:$|[^\\w.-])/i

/** Apps of people that have the name of an agent. */
export const APP_PATTERN: RegExp =
  ${APP}
`

test('collectors know the agents that the table has: -u writes them', async () => {
  await expect(FILE).toMatchFileSnapshot('./agents.ts')
})

test('every agent of the table is found, in the User-Agents that they send', () => {
  for (const { token } of TABLE) {
    for (const text of [
      token,
      `${token}/1.0`,
      `Mozilla/5.0 (compatible; ${token}/1.2; +https://a.b)`,
    ]) {
      expect(isAgent(text), text).toBe(true)
      expect(namedAgent(text)).not.toBe(null)
    }
  }
})

test.each([
  '',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/120.0 Mobile',
  'NotGPTBot/1.0',
  'GPTBotanist/2',
  'x-GPTBot',
  'curl/8.5.0',
  'ChatGPT/1.2025 (iOS 26.1; iPhone17,1)',
  'ChatGPT%20Atlas/2025 CFNetwork/3860 Darwin/25.0.0',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
])('no agent is found where the table names none: %s', (text) => {
  expect(isAgent(text)).toBe(false)
  expect(namedAgent(text)).toBe(null)
})
