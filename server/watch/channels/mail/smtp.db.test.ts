import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { rate_limits } from '../../../db/access/tables.ts'
import { MAIL_TLS, startSmtp } from '../testing/smtp-server.ts'
import { channelWorld, OWNER, SHOP } from '../testing/world.ts'
import { confirmationMail } from './mail.tsx'
import { createMailer } from './smtp.ts'

const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

const from = { name: 'Aisle, “alerts”', address: 'alerts@aisle.example' }
const mail = confirmationMail({
  to: 'merchant@inbox.example',
  domain: SHOP,
  confirmUrl: 'https://aisle.example/confirm/x',
  host: 'aisle.example',
  channelId: 'abc',
  days: 7,
})
const never = new AbortController().signal

function mailer(smtpUrl: string, tls: object = MAIL_TLS) {
  const faults: string[] = []
  const { send } = createMailer(
    { smtpUrl, from },
    { onOwnFault: ({ message }) => faults.push(message), tls },
  )
  return { faults, send: (signal = never) => send(mail, signal) }
}

test.each<[string, SMTPServerOptions, string]>([
  ['TLS from the start', { secure: true }, 'smtps'],
  ['STARTTLS', {}, 'smtp'],
])('a mail goes out over %s, signed in, as mail programs read it', async (_, options, scheme) => {
  const { port, received } = await startSmtp(options)
  const { send, faults } = mailer(`${scheme}://aisle:secret@localhost:${port}`)
  expect(await send()).toEqual({ is: 'delivered', status: 250 })
  expect(faults).toEqual([])
  expect(received).toMatchObject([
    {
      from: 'alerts@aisle.example',
      to: ['merchant@inbox.example'],
      user: 'aisle',
      isEncrypted: true,
    },
  ])
  const [{ mail: read }] = received as [(typeof received)[0]]
  expect(read.from?.value).toEqual([from])
  expect(read.to).toMatchObject({ text: 'merchant@inbox.example' })
  expect(read.subject).toBe(`Do you want alerts about ${SHOP}?`)
  expect(read.text).toContain('https://aisle.example/confirm/x')
  expect(read.html).toContain('href="https://aisle.example/confirm/x"')
  expect(read.messageId).toBe('<confirm.abc@aisle.example>')
})

test('a server in the same network needs neither password nor TLS', async () => {
  const { port, received } = await startSmtp({ authOptional: true, hideSTARTTLS: true })
  const { send } = mailer(`smtp://localhost:${port}`)
  expect(await send()).toMatchObject({ is: 'delivered' })
  expect(received).toMatchObject([{ user: null, isEncrypted: false }])
})

const OURS = {
  is: 'failed',
  because: 'ours',
  error: 'The mail server of this service did not take it. Its operator can see why in the log.',
}

test('a password is not sent unencrypted', async () => {
  const { port, received } = await startSmtp({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
  })
  const { send, faults } = mailer(`smtp://aisle:secret@localhost:${port}`)
  expect(await send()).toMatchObject(OURS)
  expect(faults).toHaveLength(1)
  expect(received).toEqual([])
})

test('what is wrong with the operator’s server is told to the operator alone', async () => {
  const { port } = await startSmtp({ secure: true })
  for (const [url, tls, why] of [
    [`smtps://aisle:wrong@localhost:${port}`, MAIL_TLS, /Invalid login/],
    [`smtps://aisle:secret@localhost:${port}`, {}, /self[- ]signed certificate/],
    ['smtps://aisle:secret@localhost:9', MAIL_TLS, /ECONNREFUSED/],
  ] as const) {
    const { send, faults } = mailer(url, tls)
    expect(await send()).toMatchObject(OURS)
    expect(faults).toEqual([expect.stringMatching(why)])
  }
})

test.each([
  [550, { because: 'final' }],
  [450, {}],
])('a mailbox that answers %i is told in the words of its server', async (code, more) => {
  const { port } = await startSmtp({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('5.1.1 No such \u202e mailbox <b>'), { responseCode: code })),
  })
  const { send, faults } = mailer(`smtp://aisle:secret@localhost:${port}`)
  expect(await send()).toEqual({
    is: 'failed',
    status: code,
    error: `${code} 5.1.1 No such  mailbox <b>`,
    ...more,
  })
  expect(faults).toEqual([])
})

test('a server that says nothing is left when we stop, and that counts for nothing', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const { send } = mailer(`smtp://localhost:${port}`)
  const stopping = new AbortController()
  const sent = send(stopping.signal)
  const probe = connect(port, '127.0.0.1')
  await once(probe, 'connect')
  probe.destroy()
  stopping.abort()
  expect(await sent).toEqual({ is: 'unsent' })
})

test('a mail that was under way when we stop is unsent, and does not arrive later', async () => {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const { port, received } = await startSmtp({
    authOptional: true,
    onMailFrom: (_address, _session, done) => {
      asked.resolve()
      void held.promise.then(() => done())
    },
    onClose: () => closed.resolve(),
  })
  const stopping = new AbortController()
  const sent = mailer(`smtp://localhost:${port}`).send(stopping.signal)
  await asked.promise
  stopping.abort()
  expect(await sent).toEqual({ is: 'unsent' })
  held.resolve()
  await closed.promise
  expect(received).toEqual([])
})

test('an address gets nothing until its holder agreed, and alerts after that', async () => {
  const smtp = await startSmtp()
  const world = await channelWorld({
    mailer: createMailer(
      { smtpUrl: `smtp://aisle:secret@localhost:${smtp.port}`, from },
      { onOwnFault: () => {}, tls: MAIL_TLS },
    ),
  })
  const { channels, tell, deliverMail, db } = world
  const made = await channels.add(SHOP, { kind: 'mail', target: 'Me@INBOX.example' }, OWNER)
  expect(made).toMatchObject({ state: 'unconfirmed', target: 'Me@inbox.example', secret: null })
  expect(smtp.received).toHaveLength(1)
  await tell()
  await deliverMail()
  expect(smtp.received).toHaveLength(1)
  const id = { domain: SHOP, id: made.id }
  await expect(channels.test(id, OWNER)).rejects.toMatchObject({ code: 'address_not_confirmed' })
  await db.$client`update watch_channels set confirmed_at = now()`
  await tell({ title: 'Checkout broke' })
  await deliverMail()
  expect(smtp.received[1]!.mail.subject).toBe('Checkout broke')
  expect(await channels.test(id, OWNER)).toEqual({ delivered: true, status: 250, error: null })
  expect(smtp.received).toHaveLength(3)
})

test('a mail server that is down for days switches no address off, and all arrives when it is back', async () => {
  let isDown = true
  const arrived: string[] = []
  const world = await channelWorld({
    mailer: {
      send: async ({ subject }) => {
        if (isDown) return { is: 'failed', status: null, error: 'down', because: 'ours' }
        arrived.push(subject)
        return { is: 'delivered', status: 250 }
      },
    },
  })
  const { channels, tell, deliverMail, db, clock, deliveries } = world
  await expect(
    channels.add(SHOP, { kind: 'mail', target: 'me@inbox.example' }, OWNER),
  ).rejects.toMatchObject({ status: 503, code: 'mail_not_sent' })
  expect(await channels.list(SHOP)).toEqual([])
  const { id } = await channels.add(SHOP, { kind: 'feed' }, OWNER)
  await db.$client`update watch_channels set kind = 'mail', target = 'me@inbox.example' where id = ${id}`
  for (let day = 0; day < 9; day += 1) {
    await tell({ data: {} })
    await deliverMail()
    clock.at += 86_400_000
  }
  expect(await channels.list(SHOP)).toMatchObject([{ state: 'on', last_error: 'down' }])
  expect((await deliveries())[0]).toMatchObject({
    last_error: expect.any(String),
    delivered_at: null,
  })
  isDown = false
  clock.at -= 86_400_000
  await tell({ data: {}, title: 'The newest' })
  await deliverMail()
  const waited = (await deliveries()).filter(({ next_at }) => next_at !== null)
  expect(waited).toEqual([])
  expect(arrived.filter((subject) => subject === 'The newest')).toHaveLength(1)
  expect(arrived).toHaveLength(10)
})

test('one address is asked three times a day, whoever enters it', async () => {
  const asked: string[] = []
  const { channels } = await channelWorld({
    mailer: {
      send: async ({ to }) => {
        asked.push(to)
        return { is: 'delivered', status: 250 }
      },
    },
  })
  const add = (key: string) =>
    channels.add(
      SHOP,
      { kind: 'mail', target: 'victim@inbox.example' },
      { id: key, scopes: ['audit'] },
    )
  for (const key of ['one', 'two', 'three']) await add(key)
  await expect(add('four')).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
  expect(asked).toHaveLength(3)
  expect(await channels.list(SHOP)).toHaveLength(3)
})

test('an address that no mail could be sent to was not asked', async () => {
  let isDown = true
  const { channels, db } = await channelWorld({
    mailer: {
      send: async () =>
        isDown
          ? { is: 'failed', status: null, error: 'down', because: 'ours' }
          : { is: 'delivered', status: 250 },
    },
  })
  const add = () => channels.add(SHOP, { kind: 'mail', target: 'me@inbox.example' }, OWNER)
  for (let n = 0; n < 4; n += 1) await expect(add()).rejects.toMatchObject({ status: 503 })
  const counted = await db.select({ points: rate_limits.points }).from(rate_limits)
  expect(counted.map(({ points }) => points)).toEqual([0, 0])
  isDown = false
  expect(await add()).toMatchObject({ state: 'unconfirmed' })
})
