import { describe, expect, test } from 'vitest'
import {
  EVENTS,
  FAILED_AT_FOURTH,
  HOSTILE,
  transcriptOf,
  UNDER_WAY,
} from '../../../../shared/walk/testing/transcripts.ts'
import { MINE, OTHER, sharedPath, testPages } from '../testing/pages.ts'
import { readWalkForm } from './form.ts'
import { found, keptWalks, LOOKS } from './testing/walks.ts'

const DOMAIN = 'shop.example'
const kept = keptWalks({
  failed: found(FAILED_AT_FOURTH),
  live: found(UNDER_WAY),
  broken: { isUnderWay: false, transcript: UNDER_WAY },
  hostile: found({ ...HOSTILE, domain: DOMAIN }),
  'a b/c': found(transcriptOf([])),
})
const { signIn } = await testPages({ walkPages: kept.pages })
const owner = await signIn({ domains: [DOMAIN, 'busy.example'], scopes: ['audit'] })
const payer = await signIn({ domains: [DOMAIN], scopes: ['audit', 'walk'] })
const textAt = async (path: string, browser = owner) => (await browser.get(path)).text()

const formOf = (fields: [string, string][]) => new URLSearchParams(fields)
const CHEAP: [string, string] = ['intent', 'cheapest_variant']
const CARD: [string, string] = ['intent', 'declined_card']
const SANDBOX: [string, string] = ['mode', 'sandbox']

describe('the form', () => {
  test.each<[name: string, fields: [string, string][], wish: object]>([
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
  ])('%s', (_, fields, wish) => {
    expect(readWalkForm(formOf(fields), DOMAIN)).toMatchObject({ wish })
  })

  test('hands on no token where nothing is paid', () => {
    const read = readWalkForm(formOf([CHEAP, ['token', 'tok_1'], ['agent_key', ' ']]), DOMAIN)
    expect(read.wish).toEqual({ domain: DOMAIN, mode: 'look', intents: ['cheapest_variant'] })
  })

  test.each<[name: string, fields: [string, string][], error: string]>([
    ['nothing', [], 'Choose at least one purchase.'],
    ['what has to be paid, without paying', [CARD], 'These purchases have to be paid.'],
    ['paying without a token', [CHEAP, SANDBOX], 'Enter a token of your test account'],
    ['a token that is too short', [CHEAP, SANDBOX, ['token', 'abc']], 'A token has 4 to 4,000'],
    ['a key with quotes', [CHEAP, ['agent_key', 'a"b"c']], 'An agent key has 4 to 4,000'],
  ])('with %s is shown again, and says why', async (_, fields, error) => {
    const before = kept.wishes.length
    const answer = await payer.post('/walks', {
      domain: DOMAIN,
      declined: 'tok_secret',
      ...Object.fromEntries(fields),
    })
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain(error)
    expect(html).not.toContain('tok_secret')
    expect(kept.wishes).toHaveLength(before)
  })

  test('offers all that can be looked at, and what is paid only to a key that may pay', async () => {
    const look = await textAt(`/walks?domain=${DOMAIN}`)
    expect(look.match(/name="intent"/g)).toHaveLength(LOOKS.length)
    expect(look.match(/name="intent"[^>]*checked/g)).toHaveLength(LOOKS.length)
    expect(look).not.toContain('name="token"')
    const pay = await textAt(`/walks?domain=${DOMAIN}`, payer)
    expect(pay).toContain('value="declined_card"')
    expect(pay).toMatch(/<input[^>]*name="token"[^>]*type="password"[^>]*autocomplete="off"/)
    expect(pay).toContain('they are not stored')
  })

  test('starts a walk and leads to its page', async () => {
    const answer = await owner.post('/walks', { domain: DOMAIN, intent: 'po_box' })
    expect(answer.headers.get('location')).toBe('/walks/started')
    expect(kept.wishes.at(-1)).toEqual({ domain: DOMAIN, mode: 'look', intents: ['po_box'] })
  })

  test('says why a walk is refused', async () => {
    const answer = await owner.post('/walks', { domain: 'busy.example', intent: 'po_box' })
    expect(answer.status).toBe(409)
    const html = await answer.text()
    expect(html).toContain('A walk of busy.example is under way.')
    const chosen = [...html.matchAll(/name="intent" value="(\w+)" checked/g)].map(([, id]) => id)
    expect(chosen).toEqual(['po_box'])
  })
})

test('the walks of a domain are listed, and no others', async () => {
  const html = await textAt(`/walks?domain=${DOMAIN}`)
  expect(html).toContain('href="/walks/failed"')
  expect(html).toContain('href="/walks/a%20b%2Fc"')
  expect(html).toMatch(/href="\/walks\/live">.*?<\/a>, under way/)
  expect(await textAt('/walks?domain=busy.example')).toContain('There are no walks yet.')
})

test('a walk that is not there is told so', async () => {
  const answer = await owner.get('/walks/nowhere')
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('No walk of your domains has this id.')
})

test('only one under way is followed, and can be stopped', async () => {
  expect(await textAt('/walks/live')).toMatch(/data-follow="\/walks\/live".*Stop the walk/s)
  for (const id of ['failed', 'broken', 'live?purchase=ucp_rest.two_and_one']) {
    expect(await textAt(`/walks/${id}`), id).not.toContain('data-follow')
  }
  expect(await textAt('/walks/broken')).not.toContain('Stop the walk')
  expect(await (await owner.get('/walks/broken/state')).json()).toMatchObject({
    under_way: false,
    transcript: { ended_at: null },
  })
})

test('one purchase stands alone where it is named, and all of them where it is not', async () => {
  const alone = await textAt('/walks/failed?purchase=ucp_rest.cheapest_variant')
  expect(alone).toContain('The purchase stopped when shipping was chosen.')
  expect(alone).toContain('All purchases of this walk')
  for (const name of ['x', 'ucp_rest.__proto__', '<script>']) {
    const all = await textAt(`/walks/failed?purchase=${encodeURIComponent(name)}`)
    expect(all).toContain('17 of 18')
  }
})

test.each(['json', 'markdown', 'har', 'curl'])('it is saved as %s', async (format) => {
  const answer = await owner.get(`/walks/failed/export?format=${format}`)
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="walk_7f3a.${format}.txt"`,
  )
  expect(await answer.text()).toContain('129.00 USD')
})

test('it is saved as nothing else', async () => {
  const answer = await owner.get('/walks/failed/export?format=exe')
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain('json, markdown, har, curl')
})

test('its events are streamed, from where a browser was cut off', async () => {
  kept.send('live', ...EVENTS, { event: 'ended', transcript: FAILED_AT_FOURTH })
  const whole = await owner.get('/walks/live/events')
  expect(whole.headers.get('content-type')).toBe('text/event-stream')
  const sent = (await whole.text()).trim().split('\n\n')
  expect(sent).toHaveLength(EVENTS.length + 1)
  expect(sent[1]).toBe(`event: browsed\ndata: ${JSON.stringify(EVENTS[1])}\nid: 2`)
  const rest = await owner.get('/walks/live/events', { 'Last-Event-ID': '2' })
  expect((await rest.text()).trim().split('\n\n')).toEqual(sent.slice(2))
})

test('what a store says is text in the page', async () => {
  const html = await textAt('/walks/hostile')
  expect(html).not.toMatch(/<script>alert|<img src=x|"javascript:|"onclick=/)
  expect(html).toContain('&lt;script>')
})

describe('walks as they are stored', () => {
  const made = testPages()
  const asked = async () => {
    const { signIn, nobody } = await made
    const owner = await signIn({ domains: [MINE] })
    const started = await owner.post('/walks', { domain: MINE, intent: 'po_box' })
    const page = started.headers.get('location') ?? ''
    // A stream ends with its walk.
    await (await owner.get(`${page}/events`)).text()
    return { owner, nobody, page }
  }

  test('are started by the form, followed, shown, listed and saved', async () => {
    const { owner, page } = await asked()
    expect(page).toMatch(/^\/walks\/[\da-f-]{36}$/)
    const html = await (await owner.get(page)).text()
    expect(html).toContain('Have it sent to a PO box')
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
    const { owner, nobody, page } = await asked()
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
    expect(html).toContain('Have it sent to a PO box')
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
    const { owner, nobody, page } = await asked()
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
    const { owner, nobody, page } = await asked()
    const { app } = await made
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
    const stranger = await (await made).signIn({ domains: [OTHER] })
    for (const domain of [MINE, OTHER]) {
      const answer = await stranger.post('/shares', { domain, view: 'walk', walk })
      expect(answer.status).toBe(domain === MINE ? 403 : 404)
    }
  })
})
