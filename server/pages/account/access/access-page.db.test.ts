import { expect, test } from 'vitest'
import { MINE, NOON, testPages } from '../testing/pages.ts'

const { browserWith, signIn, siteAccess, lines, clock } = await testPages()

const DAY_MS = 86_400_000
const inputOf = (days: number) =>
  `sig1=("@authority");tag="web-bot-auth";expires=${NOON.getTime() / 1000 + days * 86_400}`
const SIGNED = { signature: 'sig1=:aHVzaC1odXNoLWh1c2g=:', signature_input: inputOf(30) }
const EMPTY = {
  signature: '',
  signature_input: '',
  signature_agent: '"https://shopify.com"',
  preview_password: '',
  username: '',
  password: '',
  headers: '',
}
const page = `/access/${MINE}`

test('the form gives what is filled in, and the page shows none of it', async () => {
  const browser = await signIn({ domains: [MINE] })
  expect(await (await browser.get('/shop')).text()).toContain('Give access to it')
  const sent = {
    ...EMPTY,
    ...SIGNED,
    preview_password: ' hush preview ',
    username: 'someone',
    password: 'hush-basic',
    headers: 'X-Door: hush-token\r\nX-Other: hush-other\n',
  }
  const answer = await browser.post(page, sent)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, page])
  expect((await siteAccess.open(MINE))?.given).toEqual({
    headers: {
      'X-Door': 'hush-token',
      'X-Other': 'hush-other',
      Signature: SIGNED.signature,
      'Signature-Input': SIGNED.signature_input,
      'Signature-Agent': '"https://shopify.com"',
    },
    preview_password: ' hush preview ',
    basic_auth: { username: 'someone', password: 'hush-basic' },
  })
  const html = await (await browser.get(page)).text()
  expect(html).toContain(
    'The headers X-Door, X-Other, Signature, Signature-Input and Signature-Agent',
  )
  expect(html).toContain(`${MINE} and www.${MINE} alone`)
  expect(html + lines.join()).not.toMatch(/hush|aHVz/)
  expect(await (await browser.get('/shop')).text()).toContain('Change what you gave')
  await browser.post(`${page}/delete`, {})
  expect(await siteAccess.show(MINE)).toBeNull()
})

test('the signature’s agent alone gives nothing', async () => {
  const browser = await signIn({ domains: [MINE] })
  const answer = await browser.post(page, EMPTY)
  expect([answer.status, await siteAccess.show(MINE)]).toEqual([422, null])
  expect(await answer.text()).toContain('Fill in one of the three.')
})

test.each([
  [{ headers: 'Cookie: a=hush' }, 'Give the preview password'],
  [{ headers: 'hush' }, 'a colon and its value'],
  [{ headers: 'X-A: hush\nx-a: hush' }, 'is given twice'],
  [{ signature: 'sig1=:aHVzaA==:' }, 'A signature is two headers'],
  [{ ...SIGNED, signature_input: 'hush(' }, 'cannot be read'],
  [{ ...SIGNED, signature_input: inputOf(-1) }, 'This signature has ended'],
  [{ preview_password: 'hus' }, 'at least four characters'],
  [{ password: 'hush-basic' }, 'Enter the user name.'],
  [{ username: 'a:b', password: 'hush' }, 'no colon'],
])('%j is said to be wrong, and not repeated', async (sent, says) => {
  const browser = await signIn({ domains: [MINE] })
  const answer = await browser.post(page, { ...EMPTY, ...sent })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(html).toContain(says)
  expect(html).not.toMatch(/hus|aHVz|expires=/)
  expect(await siteAccess.show(MINE)).toBeNull()
})

test('who is signed out meanwhile is given back nothing secret', async () => {
  const sent = { ...EMPTY, ...SIGNED, preview_password: 'hush-preview', headers: 'X: hush-token' }
  const html = await (await browserWith('').post(page, sent)).text()
  expect(html).toContain('You were signed out')
  expect(html).not.toMatch(/hush|aHVz/)
})

test('a key for all domains is told that its audits send nothing of it', async () => {
  const text = async (domains: string[]) => (await (await signIn({ domains })).get(page)).text()
  expect(await text(['*'])).toContain('Your key is for all domains')
  expect(await text([MINE])).not.toContain('Your key is for all domains')
})

test('the shop says that the headers end from 14 days before', async () => {
  const browser = await signIn({ domains: [MINE] })
  await browser.post(page, { ...EMPTY, ...SIGNED })
  const at = async (days: number) => {
    clock.now = new Date(NOON.getTime() + days * DAY_MS)
    // A sign-in does not last that long.
    const html = await (await (await signIn({ domains: [MINE] })).get('/shop')).text()
    return /The headers you gave (ended|end) on ([^<]+)/.exec(html)?.slice(1)
  }
  expect(await at(15)).toBeUndefined()
  expect(await at(17)).toEqual(['end', 'Dec 21, 2026'])
})
