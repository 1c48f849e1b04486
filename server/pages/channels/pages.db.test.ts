import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { digestOfMany, digestRow } from '../../../shared/watch/digest.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { watch_channels } from '../../db/watch/tables.ts'
import { insertWatch } from '../../db/watch/watches.ts'
import { createLog } from '../../process/log.ts'
import { testDatabase } from '../../testing/app.ts'
import { type ChannelCaller, createChannels } from '../../watch/channels/channels.ts'
import type { Mail } from '../../watch/channels/mail/mail.tsx'
import { noticeMail } from '../../watch/channels/mail/mail.tsx'
import { sendNotice } from '../../watch/channels/send.ts'
import { aNotice, aWatch, BASE, OWNER } from '../../watch/channels/testing/world.ts'
import { enqueueNotice } from '../../watch/enqueue-notice.ts'
import { MINE, NOON, OTHER, testPages } from '../account/testing/pages.ts'

const database = await testDatabase()
const { db } = database
const sent: Mail[] = []
const clock = { now: NOON }
const log = createLog({ write: () => {} })
const deps = {
  db,
  log,
  now: () => clock.now,
  baseUrl: BASE,
  fetcher: createFetcher({ userAgent: 'Test/1', resolve: async () => [] }),
  mailer: {
    send: async (mail: Mail) => {
      sent.push(mail)
      return { is: 'delivered' as const, status: 250 }
    },
  },
}
const channels = createChannels(deps)
const pages = await testPages({ database, channels, now: () => clock.now })
const { nobody, lines } = pages
for (const domain of [MINE, OTHER]) await insertWatch(db, aWatch({ domain, site: domain }))

let addresses = 0
/** Enters a mail address, and returns the path in the mail that its holder gets. */
async function entered() {
  addresses += 1
  const target = `holder${addresses}@inbox.example`
  const channel = await channels.add(MINE, { kind: 'mail', target }, OWNER)
  const path = /https:\/\/aisle\.example(\/confirm\/\w+)/.exec(sent.at(-1)?.text ?? '')?.[1] ?? ''
  const state = async () => {
    const all = await channels.list(MINE)
    const { state, off_because } = all.find(({ id }) => id === channel.id)!
    return off_because === null ? state : [state, off_because]
  }
  /** The path to unsubscribe in the next mail. */
  const unsubscribe = async () => {
    await channels.test({ domain: MINE, id: channel.id }, OWNER)
    return new URL(sent.at(-1)!.headers['List-Unsubscribe']!.slice(1, -1)).pathname
  }
  return { target, channel, path, state, unsubscribe }
}

test('a mail address is confirmed by a button, which opening the link does not press', async () => {
  const { path, state, target } = await entered()
  const opened = await nobody.get(path)
  expect(opened.status).toBe(200)
  expect(opened.headers.get('x-robots-tag')).toBe('noindex')
  expect(opened.headers.get('cache-control')).toBe('no-store')
  const html = await opened.text()
  expect(html).toContain(target)
  expect(html).toContain('<form method="post">')
  expect(await state()).toBe('unconfirmed')

  const pressed = await nobody.post(path, {})
  expect(pressed.status).toBe(303)
  expect(await state()).toBe('on')
  expect(await (await nobody.get(pressed.headers.get('location') ?? '')).text()).toContain(
    'You get these mails',
  )
  expect((await nobody.post(path, {})).status).toBe(303)
})

test('another site cannot press it', async () => {
  const { path, state } = await entered()
  const answer = await nobody.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' })
  expect(answer.status).toBe(403)
  expect(await state()).toBe('unconfirmed')
})

test('the link is valid for seven days', async () => {
  const { path, state } = await entered()
  clock.now = new Date(NOON.getTime() + 7 * DAY_MS + 1)
  expect((await nobody.get(path)).status).toBe(404)
  expect((await nobody.post(path, {})).status).toBe(404)
  expect(await state()).toBe('unconfirmed')
  clock.now = NOON
})

test('a mail program unsubscribes by one click, from anywhere', async () => {
  const { path, state, unsubscribe } = await entered()
  await nobody.post(path, {})
  const end = await unsubscribe()
  expect(sent.at(-1)!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect((await nobody.get(end)).status).toBe(200)
  expect(await state()).toBe('on')
  const answer = await pages.app.request(end, {
    method: 'POST',
    headers: { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' },
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(answer.status).toBe(200)
  expect(await state()).toEqual([
    'off',
    'The holder of this address unsubscribed from these mails.',
  ])
  expect((await nobody.post(end, {})).status).toBe(200)
  expect(await (await nobody.get(end)).text()).toContain('You are unsubscribed')
})

test('a digest of many ends with all that goes to that address, and nothing else', async () => {
  const target = 'many@inbox.example'
  const add = async (domain: string, to = target, caller: ChannelCaller = OWNER) => {
    await channels.add(domain, { kind: 'mail', target: to }, caller)
    await nobody.post(/(\/confirm\/\w+)/.exec(sent.at(-1)!.text)![1]!, {})
  }
  await add(MINE)
  await add(OTHER)
  await add(MINE, 'another@inbox.example')
  await add(OTHER, target, { id: 'another', scopes: OWNER.scopes })
  const rows = [MINE, OTHER].map((domain) =>
    digestRow({
      ...{ domain, from: '2026-11-16', to: '2026-11-22', score: 90, grade: 'A' },
      ...{ score_before: 90, change: 0, unseen: null, opened: [], closed: [], open: [] },
      ...{
        first: [],
        ai: null,
        sold: { surfaces: [], converts: [] },
        worth: [],
        unsteady: [],
        url: BASE,
      },
    }),
  )
  const about = { id: randomUUID(), at: NOON, domain: MINE, url: BASE }
  const [channel] = await db
    .select()
    .from(watch_channels)
    .where(and(eq(watch_channels.target, target), eq(watch_channels.domain, MINE)))
  await sendNotice(deps, channel!, digestOfMany(rows, about), AbortSignal.timeout(10_000))
  const mail = sent.at(-1)!
  expect(mail.text).toContain(`${target} was entered for the alerts of these domains`)
  const { pathname, search } = new URL(mail.headers['List-Unsubscribe']!.slice(1, -1))
  const page = await (await nobody.get(pathname + search)).text()
  expect(page).toContain('No more alerts about 2 domains?')
  for (const domain of [MINE, OTHER]) expect(page).toContain(`<li>${domain}</li>`)
  const answer = await nobody.post(pathname + search, {})
  expect(await answer.text()).toContain(`Alerts about 2 domains no longer go to ${target}`)
  const states = await db
    .select()
    .from(watch_channels)
    .where(inArray(watch_channels.target, [target, 'another@inbox.example']))
  expect(
    states
      .map(({ domain, target, key_id, disabled_at }) =>
        [domain, target, key_id, disabled_at === null ? 'on' : 'off'].join(' '),
      )
      .sort(),
  ).toEqual(
    [
      `${MINE} another@inbox.example owner on`,
      `${MINE} ${target} owner off`,
      `${OTHER} ${target} another on`,
      `${OTHER} ${target} owner off`,
    ].sort(),
  )
})

test('the owner cannot take back what the holder of an address decided', async () => {
  const { path, channel, unsubscribe } = await entered()
  await nobody.post(path, {})
  await nobody.post(await unsubscribe(), {})
  const id = { domain: MINE, id: channel.id }
  await expect(channels.change(id, { enabled: true }, OWNER)).rejects.toMatchObject({
    code: 'unsubscribed',
  })
  await expect(channels.test(id, OWNER)).rejects.toMatchObject({ code: 'address_not_confirmed' })
  expect((await nobody.get(path)).status).toBe(404)
})

test('a link is nothing without its secret, and the one does not open the other', async () => {
  const one = await entered()
  await nobody.post(one.path, {})
  const end = await one.unsubscribe()
  const [confirmToken = '', endToken = ''] = [one.path, end].map((path) => path.split('/')[2])
  for (const path of [
    `/confirm/${endToken}`,
    `/unsubscribe/${confirmToken}`,
    `/confirm/${confirmToken.slice(0, -1)}`,
    '/confirm/x',
    '/unsubscribe/%00',
    `/feeds/${MINE}/${confirmToken}.xml`,
    `/feeds/${MINE}/x.xml`,
  ]) {
    expect((await nobody.get(path)).status, path).toBe(404)
  }
  for (const path of [`/confirm/${endToken}`, `/unsubscribe/${confirmToken}`]) {
    expect((await nobody.post(path, {})).status, path).toBe(404)
  }
  expect(await one.state()).toBe('on')
})

test('a feed is read by its address alone, and not again while nothing is new', async () => {
  const { feed_url, id } = await channels.add(
    MINE,
    { kind: 'feed', events: ['incident.opened'] },
    OWNER,
  )
  const path = new URL(feed_url ?? '').pathname
  expect(path).toMatch(new RegExp(`^/feeds/${MINE}/aisle_channel_\\w+\\.xml$`))
  const tell = (title: string, event: 'incident.opened' | 'digest' = 'incident.opened') =>
    db.transaction((tx) =>
      enqueueNotice(tx, aWatch({ domain: MINE }), aNotice({ domain: MINE, title, event }), NOON),
    )
  await tell('Checkout & cart broke')
  await tell('A digest', 'digest')
  const first = await nobody.get(path)
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const xml = await first.text()
  expect(xml).toContain('<title>Checkout &amp; cart broke</title>')
  expect(xml).not.toContain('A digest')
  const etag = first.headers.get('etag') ?? ''
  expect((await nobody.get(path, { 'If-None-Match': etag })).status).toBe(304)
  await channels.test({ domain: MINE, id }, OWNER)
  const next = await nobody.get(path, { 'If-None-Match': etag })
  expect(next.status).toBe(200)
  expect(await next.text()).toContain(`A test: alerts of ${MINE} arrive here`)

  // For another domain, or without its channel, the address answers 404.
  expect((await nobody.get(path.replace(MINE, OTHER))).status).toBe(404)
  await channels.remove({ domain: MINE, id })
  expect((await nobody.get(path)).status).toBe(404)
  const kept = await db.$client`select * from watch_channels`
  expect(JSON.stringify(kept)).not.toContain(path.split('/')[3]!.slice(-50, -4))
})

test('the log does not have what opens a feed or an address', () => {
  const log = lines.join('\n')
  expect(log).toContain(`/feeds/${MINE}/aisle_channel_(redacted).xml`)
  expect(log).toContain('/confirm/aisle_channel_(redacted)')
  expect(log).not.toMatch(/aisle_channel_\w/)
})

test('both parts of a mail have the link that ends the mails', () => {
  const unsubscribeUrl = `${BASE}/unsubscribe/x`
  const mail = noticeMail(aNotice(), {
    to: 'a@b.example',
    unsubscribeUrl,
    host: 'aisle.example',
    channelId: 'x',
  })
  expect(mail.text).toContain(unsubscribeUrl)
  expect(mail.html).toContain(`href="${unsubscribeUrl}"`)
})
