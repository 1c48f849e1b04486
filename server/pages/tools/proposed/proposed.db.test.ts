import { expect, test } from 'vitest'
import type { Evidence } from '../../../../shared/audit/evidence.ts'
import { answerFrom } from '../../../../shared/web/testing/answer-from.ts'
import { ApiError } from '../../../http/api-error.ts'
import { testApp } from '../../../testing/app.ts'
import { read } from '../testing/tools.ts'

const asked: string[] = []
const { app } = await testApp({
  readEvidence: async ({ domain }): Promise<Partial<Evidence>> => {
    asked.push(domain)
    if (domain === 'away.example') {
      throw new ApiError(422, 'domain_unreachable', 'away.example does not answer.')
    }
    const url = `https://${domain}/robots.txt`
    const body = 'User-agent: OAI-SearchBot\nDisallow: /\n'
    return { robots: answerFrom(url, { body }) }
  },
})
const HERE = {
  Accept: 'text/html',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Dest': 'document',
}
const open = (path: string, headers = {}) =>
  read(app.request(path, { headers: { ...HERE, ...headers } }))

test('what fixes a shop is made from the shop where its page is opened', async () => {
  const page = await open('/tools/robots?domain=shop.example')
  expect(asked.splice(0)).toEqual(['shop.example'])
  expect(page).toContain('To serve at https://shop.example/robots.txt')
  expect(page).toContain('User-agent: OAI-SearchBot\nAllow: /\n')
  expect(page).not.toContain('Disallow: /\n')
})

test.each(['manifest', 'schema'])(
  '%s: where nothing can be written that is said, and the form is folded',
  async (tool) => {
    const page = await open(`/tools/${tool}?domain=shop.example`)
    expect(asked.splice(0)).toEqual(['shop.example'])
    expect(page).toContain('To put right in shop.example')
    expect(page).toContain('id="tool"')
    expect(page).toContain('Fill in a form instead')
  },
)

test.each([{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Dest': 'image' }])(
  'a page or picture elsewhere does not make us read a shop: %j',
  async (headers) => {
    expect(await open('/tools/robots?domain=shop.example', headers)).toContain(
      'Make it from shop.example',
    )
    expect(asked).toEqual([])
  },
)

test('a shop that does not answer is named, with what it did', async () => {
  const page = await open('/tools/robots?domain=away.example')
  expect(page).toContain('Nothing could be made from away.example')
  expect(page).toContain('away.example does not answer.')
})
