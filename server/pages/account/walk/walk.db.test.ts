import { describe, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { intentsOf } from '../../../../shared/walk/intents.ts'
import {
  EVENTS,
  FAILED_AT_FOURTH,
  HOSTILE,
  STOPPED,
  UNDER_WAY,
} from '../../../../shared/walk/testing/transcripts.ts'
import { createGate, pretendStore } from '../../../audit/walk/testing/pretend-store.ts'
import { walks } from '../../../db/audit/tables.ts'
import { MINE, OTHER, sharedPath, testPages } from '../testing/pages.ts'
import { readWalkForm } from './form.ts'
import { endedWalk, endIt, walkUnderWay } from './testing/walks.ts'

const DOMAIN = 'shop.example'
const BUSY = 'busy.example'
const store = pretendStore()
const made = await testPages({ store })
const { db, signIn } = made
const failed = await endedWalk(db, FAILED_AT_FOURTH)
const stopped = await endedWalk(db, STOPPED)
const hostile = await endedWalk(db, { ...HOSTILE, domain: DOMAIN })
const live = (await walkUnderWay(db, { ...UNDER_WAY, domain: BUSY }, EVENTS)).id
const owner = await signIn({ domains: [DOMAIN, BUSY, 'new.example'], scopes: ['audit'] })
const payer = await signIn({ domains: [DOMAIN], scopes: ['audit', 'walk'] })
const textAt = async (path: string, browser = owner) => (await browser.get(path)).text()

const formOf = (fields: [string, string][]) => new URLSearchParams(fields)
const CHEAP: [string, string] = ['intent', 'cheapest_variant']
const CARD: [string, string] = ['intent', 'declined_card']
const SANDBOX: [string, string] = ['mode', 'sandbox']

describe('the form', () => {
  test.each<[name: string, fields: [string, string][], order: object]>([
    ['looks without a mode', [CHEAP], { mode: 'look', intents: ['cheapest_variant'] }],
    ['takes no mode that is none', [CHEAP, ['mode', 'x']], { mode: 'look' }],
    [
      'keeps the order of the intents, and leaves out what is none',
      [['intent', 'reorder'], CHEAP, ['intent', '__proto__']],
      { intents: ['cheapest_variant', 'reorder'] },
    ],
    ['leaves out what has to be paid', [CHEAP, CARD], { intents: ['cheapest_variant'] }],
    [
      'pays with the tokens that are given',
      [CHEAP, CARD, SANDBOX, ['token', ' tok_1 '], ['declined', 'tok_2'], ['challenged', '']],
      {
        mode: 'sandbox',
        intents: ['cheapest_variant', 'declined_card'],
        tokens: { good: 'tok_1', declined: 'tok_2' },
      },
    ],
    ['hands on a key for agents', [CHEAP, ['agent_key', 'key 1']], { agentKey: 'key 1' }],
  ])('%s', (_, fields, order) => {
    expect(readWalkForm(formOf(fields), DOMAIN)).toMatchObject({ order })
  })

  test('hands on no token where nothing is paid', () => {
    const read = readWalkForm(formOf([CHEAP, ['token', 'tok_1'], ['agent_key', ' ']]), DOMAIN)
    expect(read.order).toEqual({ domain: DOMAIN, mode: 'look', intents: ['cheapest_variant'] })
  })

  test.each<[name: string, fields: [string, string][], error: string]>([
    ['nothing', [], 'Choose at least one purchase.'],
    ['what has to be paid, without paying', [CARD], 'These purchases have to be paid.'],
    ['paying without a token', [CHEAP, SANDBOX], 'Enter a token of your test account'],
    ['a token that is too short', [CHEAP, SANDBOX, ['token', 'abc']], 'A token has 4 to 4,000'],
    ['a key with quotes', [CHEAP, ['agent_key', 'a"b"c']], 'An agent key has 4 to 4,000'],
  ])('with %s is shown again, and says why', async (_, fields, error) => {
    const before = await db.$count(walks)
    const answer = await payer.post('/walks', {
      domain: DOMAIN,
      declined: 'tok_secret',
      ...Object.fromEntries(fields),
    })
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain(error)
    expect(html).not.toContain('tok_secret')
    expect(await db.$count(walks)).toBe(before)
  })

  test('offers all that can be looked at, and what is paid only to a key that may pay', async () => {
    const look = await textAt(`/walks?domain=${DOMAIN}`)
    expect(look.match(/name="intent"/g)).toHaveLength(intentsOf('look').length)
    expect(look.match(/name="intent"[^>]*checked/g)).toHaveLength(intentsOf('look').length)
    expect(look).not.toContain('name="token"')
    const pay = await textAt(`/walks?domain=${DOMAIN}`, payer)
    expect(pay).toContain('value="declined_card"')
    expect(pay).toMatch(/<input[^>]*name="token"[^>]*type="password"[^>]*autocomplete="off"/)
    expect(pay).toContain('they are not stored')
  })

  test('starts a walk and leads to its page', async () => {
    const answer = await payer.post('/walks', { domain: DOMAIN, intent: 'po_box' })
    const page = answer.headers.get('location') ?? ''
    expect(page).toMatch(/^\/walks\/[\da-f-]{36}$/)
    // A stream ends with its walk.
    await (await payer.get(`${page}/events`)).text()
    expect(store.orders.at(-1)).toEqual({
      domain: DOMAIN,
      mode: 'look',
      intents: ['po_box'],
      covered: [DOMAIN],
      access: null,
    })
  })

  test('says why a walk is refused', async () => {
    const answer = await owner.post('/walks', { domain: BUSY, intent: 'po_box' })
    expect(answer.status).toBe(409)
    const html = await answer.text()
    expect(html).toContain('A walk of busy.example is under way')
    const chosen = [...html.matchAll(/name="intent" value="(\w+)" checked/g)].map(([, id]) => id)
    expect(chosen).toEqual(['po_box'])
  })
})

test('the walks of a domain are listed, and no others', async () => {
  const html = await textAt(`/walks?domain=${DOMAIN}`)
  expect(html).toContain(`href="/walks/${failed}"`)
  expect(html).not.toContain('</a>, under way')
  const busy = await textAt(`/walks?domain=${BUSY}`)
  expect(busy).toMatch(new RegExp(`href="/walks/${live}">.*?</a>, under way`))
  expect(busy).not.toContain(failed)
  expect(await textAt('/walks?domain=new.example')).toContain('There are no walks yet.')
})

test('a walk that is not there is told so', async () => {
  const answer = await owner.get('/walks/nowhere')
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('No walk of your domains has this id.')
})

test('only one under way is followed, and can be stopped', async () => {
  expect(await textAt(`/walks/${live}`)).toMatch(
    new RegExp(`data-follow="/walks/${live}".*Stop the walk`, 's'),
  )
  for (const path of [failed, stopped, `${live}?purchase=ucp_rest.two_and_one`]) {
    expect(await textAt(`/walks/${path}`), path).not.toContain('data-follow')
  }
  expect(await textAt(`/walks/${stopped}`)).not.toContain('Stop the walk')
  const stateOf = async (id: string) => (await owner.get(`/walks/${id}/state`)).json()
  expect(await stateOf(stopped)).toMatchObject({ under_way: false, transcript: { id: stopped } })
  expect(await stateOf(live)).toMatchObject({ under_way: true, transcript: { ended_at: null } })
})

test('one purchase stands alone where it is named, and all of them where it is not', async () => {
  const alone = await textAt(`/walks/${failed}?purchase=ucp_rest.cheapest_variant`)
  expect(alone).toContain('The purchase stopped when shipping was chosen.')
  expect(alone).toContain('All purchases of this walk')
  for (const name of ['x', 'ucp_rest.__proto__', '<script>']) {
    const all = await textAt(`/walks/${failed}?purchase=${encodeURIComponent(name)}`)
    expect(all).toContain('22 of 23')
  }
})

test.each([
  ['json', 'json'],
  ['markdown', 'md'],
  ['har', 'har'],
  ['curl', 'sh'],
])('it is saved as %s', async (format, ending) => {
  const answer = await owner.get(`/walks/${failed}/export?format=${format}`)
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="walk-${DOMAIN}-2026-11-21.${ending}"`,
  )
  expect(await answer.text()).toContain('ao-1101-9-black')
})

test('it is saved as nothing else', async () => {
  const answer = await owner.get(`/walks/${failed}/export?format=exe`)
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('json, markdown, har, curl')
})

test('its events are streamed, from where a browser was cut off', async () => {
  const walk = await walkUnderWay(db, { ...UNDER_WAY, domain: 'other.example' }, EVENTS)
  await endIt(db, walk, { ...FAILED_AT_FOURTH, domain: walk.domain })
  const browser = await signIn({ domains: [walk.domain] })
  const sentAfter = async (headers = {}) => {
    const answer = await browser.get(`/walks/${walk.id}/events`, headers)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    return [...(await answer.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
  }
  const whole = await sentAfter()
  expect(whole).toEqual([...EVENTS.map(({ event }) => event), 'ended'])
  expect(await sentAfter({ 'Last-Event-ID': '2' })).toEqual(whole.slice(2))
})

test('it is stopped by those who may, and what it has open in the store is cancelled', async () => {
  const { hold } = createGate()
  const holding = pretendStore({ hold })
  const { signIn } = await testPages({ store: holding })
  const owner = await signIn({ domains: [MINE] })
  const begun = await owner.post('/walks', { domain: MINE, intent: 'po_box' })
  const page = begun.headers.get('location') ?? ''
  await eventually(() => holding.open.size).toBe(1)

  const stranger = await signIn({ domains: [OTHER] })
  expect((await stranger.post(`${page}/stop`, {})).status).toBe(404)
  const stateNow = async () => (await owner.get(`${page}/state`)).json()
  expect(await stateNow()).toMatchObject({ under_way: true })
  expect(holding.open.size).toBe(1)

  expect((await owner.post(`${page}/stop`, {})).headers.get('location')).toBe(page)
  expect(await stateNow()).toMatchObject({
    under_way: false,
    transcript: { stopped: 'The walk was cancelled.' },
  })
  expect(holding.open.size).toBe(0)
})

test('what a store says is text in the page', async () => {
  const html = await textAt(`/walks/${hostile}`)
  expect(html).not.toMatch(/<script>alert|<img src=x|"javascript:|"onclick=/)
  expect(html).toContain('&lt;script>')
})

describe('walks that the form started', () => {
  const { app, nobody } = made
  const asked = async () => {
    const owner = await signIn({ domains: [MINE] })
    const started = await owner.post('/walks', { domain: MINE, intent: 'po_box' })
    const page = started.headers.get('location') ?? ''
    // A stream ends with its walk.
    await (await owner.get(`${page}/events`)).text()
    return { owner, page }
  }

  test('are started by the form, followed, shown, listed and saved', async () => {
    const { owner, page } = await asked()
    const html = await (await owner.get(page)).text()
    expect(html).toContain('Ship it to a PO box')
    expect(html).not.toContain('data-follow')
    expect(await (await owner.get(`/walks?domain=${MINE}`)).text()).toContain(`href="${page}"`)
    const saved = await owner.get(`${page}/export?format=markdown`)
    expect(saved.headers.get('content-disposition')).toContain('.md"')
    expect((await owner.post(`${page}/stop`, {})).headers.get('location')).toBe(page)
  })

  test.each(['nowhere', 'x'.repeat(500), '00000000-0000-4000-8000-000000000000'])(
    'are not there under %s',
    async (id) => {
      const { owner } = await asked()
      expect((await owner.get(`/walks/${id}`)).status).toBe(404)
      const shared = await owner.post('/shares', { domain: MINE, view: 'walk', walk: id })
      expect(shared.status).toBe(404)
    },
  )

  test('are shown to anyone by a link, read-only, until it is revoked', async () => {
    const { owner, page } = await asked()
    const walk = page.replace('/walks/', '')
    const link = await sharedPath(
      await owner.post('/shares', { domain: MINE, view: 'walk', walk, days: '7' }),
    )
    const answer = await nobody.get(link)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const html = await answer.text()
    expect(html).toContain('Ship it to a PO box')
    expect(html).not.toMatch(/method="post"|id="share"|\/walks\/|Keep it/)
    const alone = await (await nobody.get(`${link}?purchase=spec_ucp.po_box`)).text()
    expect(alone).toContain(`href="${link}">All purchases of this walk`)

    const id = link.split('_')[2] ?? ''
    expect(await (await owner.get(page)).text()).toContain(`<code>${id}</code>`)
    const ended = await owner.post('/shares/end', { domain: MINE, view: 'walk', walk, id })
    expect(ended.headers.get('location')).toBe(`${page}#share`)
    expect((await nobody.get(link)).status).toBe(404)
  })

  test('are sent to four readers of a link at the same time, and to others when one has it or left', async () => {
    const { owner, page } = await asked()
    const walk = page.replace('/walks/', '')
    const share = async () =>
      sharedPath(await owner.post('/shares', { domain: MINE, view: 'walk', walk, days: '7' }))
    const [link, other] = [await share(), await share()]
    const [taken, left, ...held] = [
      await nobody.get(link),
      await nobody.get(link),
      await nobody.get(link),
      await nobody.get(link),
    ]
    const refused = await nobody.get(link)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await (await nobody.get(other)).text()).toContain('</html>')

    expect(await taken.text()).toContain('</html>')
    held.push(await nobody.get(link))
    await left.body?.cancel()
    held.push(await nobody.get(link))
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await nobody.get(link)).status).toBe(503)
    for (const each of held) await each.body?.cancel()
  })

  test('are held by no request for the head of a page', async () => {
    const { owner, page } = await asked()
    const walk = page.replace('/walks/', '')
    const link = await sharedPath(
      await owner.post('/shares', { domain: MINE, view: 'walk', walk, days: '7' }),
    )
    for (let n = 0; n < 6; n += 1) {
      expect((await app.request(link, { method: 'HEAD' })).status).toBe(200)
    }
    expect((await nobody.get(link)).status).toBe(200)
  })

  test('are shared by keys of their domain alone', async () => {
    const { page } = await asked()
    const walk = page.replace('/walks/', '')
    const stranger = await signIn({ domains: [OTHER] })
    for (const domain of [MINE, OTHER]) {
      const answer = await stranger.post('/shares', { domain, view: 'walk', walk })
      expect(answer.status).toBe(domain === MINE ? 403 : 404)
    }
  })
})
