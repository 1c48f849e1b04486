import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import type { ChannelEvent } from '../../../shared/watch/channel.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { claimWatchDelivery, newestNotices, switchChannelOff } from '../../db/watch/channels.ts'
import { notices } from '../../db/watch/tables.ts'
import { DELIVERY_LEASE_MS } from '../../jobs/outbox.ts'
import { answers } from '../../jobs/testing/receiver.ts'
import { recallNotice } from '../enqueue-notice.ts'
import { runChannels } from './outbox.ts'
import { BASE, channelWorld, NOON, OWNER, SHOP } from './testing/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const HOOK = 'https://hook.example/alerts?key=1'

test('a notice arrives signed, at each channel that wants it', async () => {
  const { add, tell, deliver, receiver, clock, deliveries, rows } = await channelWorld()
  clock.at = Date.now()
  const { secret, id } = await add('webhook', HOOK)
  await add('slack', 'https://slack.example/x', ['digest'])
  const notice = await tell()
  await deliver()
  expect(receiver.received).toHaveLength(1)
  const [{ url, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect([url, headers.host, headers['webhook-id']]).toEqual([
    '/alerts?key=1',
    'hook.example',
    notice.id,
  ])
  expect(new Webhook(secret!).verify(body, headers)).toEqual({
    type: 'incident.opened',
    timestamp: notice.at,
    data: {
      incident: { id: 'i-1' },
      domain: SHOP,
      severity: 'critical',
      title: notice.title,
      url: notice.url,
      lines: notice.lines,
      facts: notice.facts,
    },
  })
  expect(() => new Webhook(secret!).verify(`${body} `, headers)).toThrow('No matching signature')
  expect(await deliveries()).toMatchObject([
    { channel_id: id, attempts: 1, last_status: 200, last_error: null, next_at: null },
  ])
  const channel = (await rows()).find((row) => row.id === id)
  expect(channel!.last_ok_at).toEqual(new Date(clock.at))
})

test('500, silence and 429 are tried again under the same id, later each time', async () => {
  const { add, tell, deliver, receiver, clock, deliveries, channels } = await channelWorld({
    fetcher: { limits: { totalMs: 10_000 } },
  })
  const { id } = await add('webhook', HOOK)
  await tell()
  const steps = [
    { answer: answers(500), wait: 5 * SECOND, error: 'HTTP 500', status: 500 },
    { answer: () => {}, wait: 5 * MINUTE, error: expect.stringMatching(/response/), status: null },
    {
      answer: answers(429, { 'retry-after': '7200' }),
      wait: 2 * HOUR,
      error: 'HTTP 429',
      status: 429,
    },
  ]
  for (const [n, { answer, wait, error, status }] of steps.entries()) {
    receiver.answer = answer
    await deliver()
    expect(receiver.received).toHaveLength(n + 1)
    expect(await deliveries()).toMatchObject([
      {
        attempts: n + 1,
        last_error: error,
        last_status: status,
        next_at: new Date(clock.at + wait),
        leased_until: null,
      },
    ])
    clock.at += wait - 1
    await deliver()
    expect(receiver.received).toHaveLength(n + 1)
    clock.at += 1
  }
  receiver.answer = answers(204)
  await deliver()
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await channels.deliveries({ domain: SHOP, id }, OWNER)).toMatchObject([
    { state: 'delivered', tries: 4, status: 204, error: null, next_at: null },
  ])
})

test('what the receiver says is kept and shown as text', async () => {
  const { add, tell, deliver, receiver, channels } = await channelWorld()
  const { id } = await add('slack', 'https://slack.example/x')
  receiver.answer = (_, response) =>
    response.writeHead(404).end(`no_service\u0000\u202e <b>\r\n${'x'.repeat(900)}`)
  await tell()
  await deliver()
  const [delivery] = await channels.deliveries({ domain: SHOP, id }, OWNER)
  expect(delivery).toMatchObject({ state: 'waiting', tries: 1, status: 404 })
  expect(delivery!.error).toMatch(/^HTTP 404: no_service <b> x+…$/)
  expect(delivery!.error!.length).toBeLessThan(220)
})

test('what a replica claimed before it was killed is taken over, once its lease is over', async () => {
  const { db, add, tell, deliver, receiver, clock, now } = await channelWorld()
  const { id } = await add('webhook', HOOK)
  const notice = await tell()
  const until = new Date(clock.at + DELIVERY_LEASE_MS)
  expect(await claimWatchDelivery(db, id, { now: now(), until })).not.toBeNull()
  clock.at += DELIVERY_LEASE_MS
  await deliver()
  expect(receiver.received).toHaveLength(0)
  clock.at += 1
  await deliver()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([notice.id])
})

test('an answer that comes after another replica has delivered changes nothing', async () => {
  const { add, tell, deliver, receiver, clock, deliveries, rows } = await channelWorld()
  await add('webhook', HOOK)
  await tell()
  let open = (): void => {}
  const held = new Promise<void>((done) => {
    open = done
  })
  receiver.answer = (_, response) => void held.then(() => response.writeHead(500).end())
  const late = deliver()
  await eventually(() => receiver.received.length).toBe(1)
  clock.at += DELIVERY_LEASE_MS + 1
  receiver.answer = answers(200)
  await deliver()
  open()
  await late
  expect(receiver.received).toHaveLength(2)
  expect(await deliveries()).toMatchObject([{ attempts: 1, last_status: 200, next_at: null }])
  expect(await rows()).toMatchObject([{ failing_since: null, last_error: null }])
})

test('replicas that deliver at once send everything once, and in its order', async () => {
  const { add, tell, deliver, receiver, clock } = await channelWorld()
  await add('webhook', HOOK)
  await add('slack', 'https://slack.example/x')
  const sent: string[] = []
  for (let n = 0; n < 8; n += 1) {
    clock.at += SECOND
    sent.push((await tell({ data: {} })).id)
  }
  await Promise.all([deliver(), deliver(), deliver()])
  const hooks = receiver.received.filter(({ headers }) => headers.host === 'hook.example')
  expect(hooks.map(({ headers }) => headers['webhook-id'])).toEqual(sent)
  expect(receiver.received).toHaveLength(16)
})

test('while one replica is at a channel, no other asks it', async () => {
  const { db, add, tell, deliver, receiver, clock, now } = await channelWorld()
  const { id } = await add('webhook', HOOK)
  for (let n = 0; n < 3; n += 1) await tell({ data: {} })
  const until = new Date(clock.at + DELIVERY_LEASE_MS)
  const claimed = await Promise.all(
    [1, 2, 3].map(() => claimWatchDelivery(db, id, { now: now(), until })),
  )
  expect(claimed.filter((each) => each !== null)).toHaveLength(1)
  await deliver()
  expect(receiver.received).toEqual([])
})

test('the end of an incident waits for its beginning, and other incidents do not', async () => {
  const { add, tell, deliver, receiver, clock } = await channelWorld()
  await add('webhook', HOOK)
  const of = (id: string) => ({ data: { incident: { id } } })
  const opened = await tell(of('one'))
  receiver.answer = answers(429, { 'retry-after': '600' })
  await deliver()
  receiver.answer = answers(200)
  clock.at += MINUTE
  const closed = await tell({ ...of('one'), event: 'incident.closed' })
  await deliver()
  expect(receiver.received).toHaveLength(1)
  clock.at += MINUTE
  const other = await tell(of('other'))
  await deliver()
  // The channel works again, so what waited is due as well.
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    opened.id,
    other.id,
    opened.id,
    closed.id,
  ])
})

test('of a channel that is down one try is made at a time, and all comes when it is back', async () => {
  const { add, tell, deliver, receiver, clock, deliveries, channels } = await channelWorld()
  const { id } = await add('webhook', HOOK)
  receiver.answer = answers(503)
  for (let n = 0; n < 30; n += 1) await tell({ data: {} })
  await deliver()
  expect(receiver.received).toHaveLength(1)
  const [first] = await channels.deliveries({ domain: SHOP, id }, OWNER)
  expect(first).toMatchObject({ state: 'waiting' })
  for (const wait of [5 * SECOND, 5 * MINUTE, 30 * MINUTE]) {
    clock.at += wait
    await deliver()
  }
  expect(receiver.received).toHaveLength(4)
  receiver.answer = answers(200)
  clock.at += 2 * HOUR
  await deliver()
  expect(receiver.received).toHaveLength(34)
  expect((await deliveries()).every(({ delivered_at }) => delivered_at !== null)).toBe(true)
})

test('quiet hours hold a notice until they end, and what is over by then is not told', async () => {
  const { db, add, tell, deliver, receiver, clock } = await channelWorld({
    watch: { quiet_hours: { from: '22:00', to: '07:00' }, time_zone: 'Europe/Berlin' },
  })
  await add('webhook', HOOK)
  clock.at = Date.parse('2026-11-21T22:30:00Z')
  await tell({ data: { incident: { id: 'over by morning' } } })
  const kept = await tell({ data: { incident: { id: 'kept' } } })
  await deliver()
  expect(await db.transaction((tx) => recallNotice(tx, SHOP, 'over by morning'))).toHaveLength(1)
  clock.at = Date.parse('2026-11-22T05:59:59Z')
  await deliver()
  expect(receiver.received).toHaveLength(0)
  clock.at = Date.parse('2026-11-22T06:00:00Z')
  await deliver()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([kept.id])
})

test('a retry keeps quiet hours as well, and so does what waited with it', async () => {
  const { add, tell, deliver, receiver, clock, deliveries, channels } = await channelWorld({
    watch: { quiet_hours: { from: '22:00', to: '07:00' } },
  })
  const { id } = await add('webhook', HOOK)
  clock.at = Date.parse('2026-11-21T21:59:58Z')
  receiver.answer = answers(503)
  await tell({ data: {} })
  await tell({ data: {} })
  await deliver()
  const due = async () => (await deliveries()).map(({ next_at }) => next_at?.toISOString())
  const morning = '2026-11-22T07:00:00.000Z'
  expect(await due()).toEqual([morning, morning])
  // At night someone presses the button, and the channel works again.
  clock.at = Date.parse('2026-11-22T01:00:00Z')
  receiver.answer = answers(200)
  expect(await channels.test({ domain: SHOP, id }, OWNER)).toMatchObject({ delivered: true })
  await deliver()
  expect(receiver.received).toHaveLength(2)
  clock.at = Date.parse(morning)
  await deliver()
  expect(receiver.received).toHaveLength(4)
})

test('what was on its way to a channel while that was switched off is not tried again', async () => {
  const { db, add, tell, deliver, receiver, deliveries, rows } = await channelWorld()
  await add('webhook', HOOK)
  await tell()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  receiver.answer = (_, response) => void held.then(() => response.writeHead(500).end())
  const delivering = deliver()
  await eventually(() => receiver.received.length).toBe(1)
  const [channel] = await rows()
  const off = { disabled_at: NOON, disabled_why: 'The test ends it.' }
  await db.transaction((tx) => switchChannelOff(tx, channel ?? expect.fail(), off))
  answer()
  await delivering
  expect(await deliveries()).toMatchObject([{ attempts: 1, next_at: null, leased_until: null }])
})

test('a channel that nothing reaches for five days is switched off, and the others hear of it', async () => {
  const { add, tell, deliver, receiver, clock, channels, rows, deliveries } = await channelWorld()
  const { id } = await add('webhook', 'https://dead.example/')
  clock.at += 1
  await add('slack', 'https://slack.example/x')
  receiver.answer = ({ headers }, response) =>
    response.writeHead(headers.host === 'dead.example' ? 500 : 200).end()
  const failOnDay = async (day: number) => {
    clock.at = NOON.getTime() + day * DAY_MS
    await tell({ data: {} })
    await deliver()
    return (await channels.list(SHOP))[0]!.state
  }
  expect(await failOnDay(1)).toBe('failing')
  expect(await failOnDay(5.9)).toBe('failing')
  const before = receiver.received.length
  expect(await failOnDay(6)).toBe('off')
  const [dead] = await rows()
  expect(dead).toMatchObject({
    disabled_at: new Date(NOON.getTime() + 6 * DAY_MS),
    disabled_why: 'Nothing reached it since 2026-11-22. The last try: HTTP 500.',
  })
  // What was on its way has ended.
  const left = (await deliveries()).filter(({ channel_id }) => channel_id === id)
  expect(left.every(({ next_at }) => next_at === null)).toBe(true)

  await deliver()
  const told = receiver.received
    .slice(before)
    .filter(({ headers }) => headers.host !== 'dead.example')
  expect(told).toHaveLength(2)
  expect(told[1]!.body).toContain('no longer go to one of its channels')
  expect(told[1]!.body).toContain('Nothing reached it since 2026-11-22.')

  // It gets nothing any more, until its owner switches it on again.
  const silent = receiver.received.length
  await tell()
  await deliver()
  expect(receiver.received).toHaveLength(silent + 1)
  receiver.answer = answers(200)
  const back = await channels.change({ domain: SHOP, id }, { enabled: true }, OWNER)
  expect(back).toMatchObject({ state: 'on', off_since: null, off_because: null })
  await tell()
  await deliver()
  expect(receiver.received).toHaveLength(silent + 3)
})

test('a test that fails after days of failures switches nothing off, unless it is refused for good', async () => {
  const { add, tell, deliver, receiver, clock, channels, deliveries } = await channelWorld()
  const { id } = await add('webhook', HOOK)
  const name = { domain: SHOP, id }
  receiver.answer = answers(500)
  await tell()
  await deliver()
  clock.at += 5 * DAY_MS
  expect(await channels.test(name, OWNER)).toMatchObject({ delivered: false, status: 500 })
  expect(await channels.list(SHOP)).toMatchObject([{ state: 'failing', off_since: null }])
  const [alert] = await deliveries()
  expect(alert?.next_at).not.toBeNull()
  receiver.answer = answers(410)
  await channels.test(name, OWNER)
  expect(await channels.list(SHOP)).toMatchObject([{ state: 'off' }])
})

test('a try that fails days after a failed test is tried again, and switches nothing off', async () => {
  const { database, add, tell, deliver, receiver, clock, channels, deliveries } =
    await channelWorld()
  const { id } = await add('webhook', HOOK)
  const name = { domain: SHOP, id }
  receiver.answer = answers(500)
  expect(await channels.test(name, OWNER)).toMatchObject({ delivered: false })
  expect(await channels.list(SHOP)).toMatchObject([
    { state: 'on', failing_since: null, last_error: 'HTTP 500' },
  ])
  await tell()
  await deliver()
  expect(await channels.list(SHOP)).toMatchObject([{ state: 'failing' }])
  // Days without a notice: what failed then has long been given up.
  await database.sql`update watch_deliveries set next_at = null`
  clock.at += 6 * DAY_MS
  await tell()
  await deliver()
  expect(await channels.list(SHOP)).toMatchObject([{ state: 'failing', off_because: null }])
  const [last] = (await deliveries()).slice(-1)
  expect(last).toMatchObject({ attempts: 1, next_at: new Date(clock.at + 5 * SECOND) })
})

test('one success makes a channel well', async () => {
  const { add, tell, deliver, receiver, clock, channels } = await channelWorld()
  await add('webhook', HOOK)
  const onDay = async (day: number, status: number) => {
    clock.at = NOON.getTime() + day * DAY_MS
    receiver.answer = answers(status)
    await tell({ data: {} })
    await deliver()
    return (await channels.list(SHOP))[0]!.state
  }
  expect([
    await onDay(0, 500),
    await onDay(4, 200),
    await onDay(6, 500),
    await onDay(10, 500),
  ]).toEqual(['failing', 'on', 'failing', 'failing'])
})

test('410 switches a channel off at once, with all that waits for it', async () => {
  const { add, tell, deliver, receiver, deliveries, channels } = await channelWorld()
  await add('webhook', HOOK)
  receiver.answer = answers(410)
  for (let n = 0; n < 9; n += 1) await tell({ data: {} })
  await deliver()
  expect(receiver.received).toHaveLength(1)
  expect((await deliveries()).every(({ next_at }) => next_at === null)).toBe(true)
  expect(await channels.list(SHOP)).toMatchObject([
    { state: 'off', off_because: 'It answered that it wants nothing any more (HTTP 410).' },
  ])
})

test('a redirect is not followed, and a target within our own network is not asked', async () => {
  const redirected = await channelWorld()
  await redirected.add('webhook', HOOK)
  redirected.receiver.answer = answers(307, { location: 'https://other.example/' })
  await redirected.tell()
  await redirected.deliver()
  expect(redirected.receiver.received).toHaveLength(1)
  expect(await redirected.deliveries()).toMatchObject([{ last_status: 307, delivered_at: null }])

  const inside = await channelWorld({
    fetcher: { testHosts: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  })
  await inside.add('webhook', HOOK)
  await inside.tell()
  await inside.deliver()
  expect(inside.receiver.received).toEqual([])
  expect(await inside.deliveries()).toMatchObject([
    { last_status: null, last_error: expect.stringContaining('no public web server answered') },
  ])
})

test('the loop delivers what comes in; what is cut when it stops counts for nothing', async () => {
  const world = await channelWorld()
  const { add, tell, receiver, deliveries, clock } = world
  clock.at = Date.now()
  await add('webhook', 'https://slow.example/')
  await add('slack', 'https://fast.example/')
  receiver.answer = ({ headers }, response) => {
    if (headers.host === 'fast.example') response.end()
  }
  const running = runChannels(world, 5)
  for (let n = 0; n < 5; n += 1) await tell({ data: {} })
  await eventually(
    async () => (await deliveries()).filter(({ delivered_at }) => delivered_at).length,
  ).toBe(5)
  await running.stop()
  const slow = (await deliveries()).filter(({ delivered_at }) => delivered_at === null)
  expect(slow).toHaveLength(5)
  for (const each of slow)
    expect(each).toMatchObject({ attempts: 0, leased_until: null, last_error: null })
})

test('the test button sends to one channel, says what came of it, and tries once', async () => {
  const { add, deliver, receiver, channels, clock, deliveries } = await channelWorld()
  const { id } = await add('webhook', HOOK)
  await add('slack', 'https://slack.example/x')
  expect(await channels.test({ domain: SHOP, id }, OWNER)).toEqual({
    delivered: true,
    status: 200,
    error: null,
  })
  expect(receiver.received).toHaveLength(1)
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    type: 'test',
    data: { domain: SHOP, url: `${BASE}/watches/${SHOP}` },
  })
  receiver.answer = answers(500)
  expect(await channels.test({ domain: SHOP, id }, OWNER)).toEqual({
    delivered: false,
    status: 500,
    error: 'HTTP 500',
  })
  clock.at += DAY_MS
  await deliver()
  expect(receiver.received).toHaveLength(2)
  expect((await deliveries()).map(({ next_at }) => next_at)).toEqual([null, null])
  expect(await channels.deliveries({ domain: SHOP, id }, OWNER)).toMatchObject([
    { event: 'test', tries: 1 },
    { event: 'test', tries: 1 },
  ])
})

test('a feed shows its own test and no other', async () => {
  const { db, channels } = await channelWorld()
  const { id } = await channels.add(SHOP, { kind: 'feed' }, OWNER)
  expect(await channels.test({ domain: SHOP, id }, OWNER)).toEqual({
    delivered: true,
    status: null,
    error: null,
  })
  expect(await db.select().from(notices)).toMatchObject([
    { event: 'test', notice: { data: { channel: { id } } } },
  ])
})

test.each([true, false])(
  'who may not read reports is neither told nor shown what orders show, with_report: %s',
  async (with_report) => {
    const { channels, tell, deliver } = await channelWorld({ watch: { with_report } })
    const auditor = { id: 'auditor', scopes: ['audit'] as const }
    const asked = { kind: 'webhook', target: HOOK } as const
    await expect(
      channels.add(SHOP, { ...asked, events: ['digest'] }, auditor),
    ).rejects.toMatchObject({ code: 'insufficient_scope' })
    const own = await channels.add(SHOP, asked, auditor)
    expect(own.events).toEqual([
      'incident.opened',
      'incident.closed',
      'access.ending',
      'channel.off',
    ])
    await expect(
      channels.change({ domain: SHOP, id: own.id }, { events: ['signal'] }, auditor),
    ).rejects.toMatchObject({ code: 'insufficient_scope' })
    const all = await channels.add(SHOP, asked, OWNER)
    await tell({ event: 'digest', title: 'AI brought 40,000 EUR' })
    await deliver()
    const id = { domain: SHOP, id: all.id }
    expect(await channels.deliveries(id, auditor)).toEqual([])
    expect(await channels.deliveries(id, OWNER)).toMatchObject([{ title: 'AI brought 40,000 EUR' }])
  },
)

test('incidents that orders show go to the channels that receive what orders show', async () => {
  const { db, channels, add, tell, deliver, deliveries } = await channelWorld({
    watch: { with_report: true },
  })
  const auditor = { id: 'auditor', scopes: ['audit'] as const }
  await channels.add(SHOP, { kind: 'webhook', target: HOOK }, auditor)
  const { id } = await add('webhook', HOOK, ['signal'])
  const data = (kind: string) => ({ incident: { id: 'i', kind } })
  await tell({ event: 'incident.opened', data: data('signal') })
  await deliver()
  await tell({ event: 'incident.closed', data: data('signal') })
  await deliver()
  const told = (await deliveries()).map(({ channel_id, notice }) => [channel_id, notice.event])
  expect(told).toEqual([
    [id, 'incident.opened'],
    [id, 'incident.closed'],
  ])
  expect(await channels.deliveries({ domain: SHOP, id }, auditor)).toEqual([])
  expect(await channels.deliveries({ domain: SHOP, id }, OWNER)).toHaveLength(2)
  const feed = (events: ChannelEvent[]) =>
    newestNotices(db, { id: 'feed', domain: SHOP, events }, 50)
  expect(await feed(['incident.opened', 'incident.closed'])).toEqual([])
  expect(await feed(['signal'])).toHaveLength(2)
})
