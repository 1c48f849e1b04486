import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import { openPass } from './owner-pass.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'

/** What a store shows before it is opened, and where its form leads. */

const PASSWORD = 'hush & preview'
let home: (cookie: string) => string
let asked: { host: string; method: string; body: string; cookie: string }[] = []
let fetcher: Fetcher
beforeAll(async () => {
  const front = new Hono().all('*', async (c) => {
    const [host, cookie] = [c.req.header('host') ?? '', c.req.header('cookie') ?? '']
    const body = await c.req.text()
    asked.push({ host, method: c.req.method, body, cookie })
    c.header('Set-Cookie', 'seen=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/')
    if (c.req.method !== 'POST') return c.html(home(cookie))
    const isRight = new URLSearchParams(body).get('pw') === PASSWORD
    if (isRight) c.header('Set-Cookie', 'door=open-now; HttpOnly', { append: true })
    return c.redirect('/', 303)
  })
  fetcher = await fetcherTo(front)
})

async function open() {
  asked = []
  const given = { preview_password: PASSWORD }
  const kinds = ['preview_password'] as const
  const access = { domain: 'shop.example', given, kinds, endsAt: null }
  const { fetcher: passing, seen } = await openPass(fetcher, access, new Date())
  const session = passing.open()
  const urls = ['https://www.shop.example/x', 'https://evil.example/x', 'http://shop.example/x']
  const before = asked.length
  for (const url of urls) await session.request({ url, maxBytes: 1000 })
  await session.close()
  return { seen, cookies: asked.slice(before).map(({ cookie }) => cookie) }
}

const formTo = (action: string, more = '') =>
  `<!-- <form> --><form METHOD=POST action='${action}'><input type="hidden" name="form_type" value="a &amp; b">${more}<input name=pw type=password><button>Enter</button></form>`
const FEED = '<form method="post" action="/newsletter"><input type="email" name="email"></form>'
const unlessOpen = (html: string) => (cookie: string) =>
  cookie.includes('door=open-now') ? 'Welcome' : html

test.each(['/password', 'https://www.shop.example/password', '', '?enter'])(
  'its form to %j is filled in, and what it answers is sent to the store alone',
  async (action) => {
    home = unlessOpen(FEED + formTo(action))
    const { seen, cookies } = await open()
    expect(seen).toEqual({ sent: ['preview_password'], headers: [], not_sent: [] })
    const [posted] = asked.filter(({ method }) => method === 'POST')
    expect(Object.fromEntries(new URLSearchParams(posted?.body))).toEqual({
      form_type: 'a & b',
      pw: PASSWORD,
    })
    expect(posted?.cookie).toBe('seen=1')
    expect(cookies).toEqual(['seen=1; door=open-now', '', ''])
  },
)

test.each([
  ['https://evil.example/password', 'its form leads to another host'],
  ['//evil.example/password', 'its form leads to another host'],
  ['http://shop.example/password', 'its form leads to another host'],
  ['https://sub.shop.example/password', 'its form leads to another host'],
  ['https://shop.example:8443/password', 'its form leads to another host'],
  ['https://shop.example.evil.example/', 'its form leads to another host'],
])('a form to %s gets no password', async (action, why) => {
  home = unlessOpen(formTo(action))
  const { seen } = await open()
  expect(seen.not_sent).toEqual([{ kind: 'preview_password', why }])
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
  expect(JSON.stringify(asked)).not.toContain('hush')
})

test.each([
  ['no form', FEED],
  ['a form to sign in with', formTo('/login', '<input type="email" name="email">')],
  ['a form of the address bar', '<form action="/q"><input type="password" name="pw"></form>'],
])('with %s no password is entered', async (_, html) => {
  home = () => html
  const { seen } = await open()
  expect(seen.not_sent[0]?.why).toBe(
    'the home page asks for no password, so that it was not entered',
  )
  expect(JSON.stringify(asked)).not.toContain('hush')
})

test('a password that does not open the store is said to be wrong', async () => {
  home = () => formTo('/password')
  expect((await open()).seen).toEqual({
    sent: [],
    headers: [],
    not_sent: [{ kind: 'preview_password', why: 'the store did not accept it' }],
  })
})

test('WooCommerce’s page that a store comes soon is opened by the key of its link', async () => {
  home = (cookie) =>
    cookie.includes(`woo-share=${encodeURIComponent(PASSWORD)}`)
      ? 'Welcome'
      : '<meta name="woo-coming-soon-page" content="yes">'
  const { seen, cookies } = await open()
  expect(seen.sent).toEqual(['preview_password'])
  expect(cookies.slice(1)).toEqual(['', ''])
})
