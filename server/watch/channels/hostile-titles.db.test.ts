import { createRequire } from 'node:module'
import { parse } from 'parse5'
import { SaxesParser } from 'saxes'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { storableText } from '../../../shared/web/json/json.ts'
import { visibleText } from '../../../shared/web/text/invisible.ts'
import { newestNotices } from '../../db/watch/channels.ts'
import { feedXml } from './feed.ts'
import { noticeMail } from './mail/mail.tsx'
import { createMailer } from './mail/smtp.ts'
import { SlackMessage, sequencesIn, shownBySlack } from './testing/block-kit.ts'
import { HOSTILE_TITLES, readable } from './testing/hostile-titles.ts'
import { MAIL_TLS, startSmtp } from './testing/smtp-server.ts'
import { BASE, channelWorld, OWNER, SHOP } from './testing/world.ts'

// What a store's page says reaches every channel as text: received by real servers, and read by the
// libraries that receivers use.

const TITLES = Object.entries(HOSTILE_TITLES)

/** A notice with the hostile text in every field. */
const saying = (title: string): Partial<WatchNotice> => ({
  title,
  lines: [title, `The page says: ${title}`],
  facts: [{ label: title, value: title }],
  sections: [{ title, items: [{ label: title, text: title, url: `${BASE}/watches/${SHOP}` }] }],
  data: { incident: { id: 'i-1', detail: title } },
})

const smtp = await startSmtp()
const mailer = createMailer(
  {
    smtpUrl: `smtp://aisle:secret@localhost:${smtp.port}`,
    from: { name: 'Aisle', address: 'alerts@aisle.example' },
  },
  { onOwnFault: (error) => expect.unreachable(error.message), tls: MAIL_TLS },
)
const world = await channelWorld({ mailer })
const { db, channels, add, tell, deliver, deliverMail, receiver, clock } = world
// The library refuses outdated notices.
clock.at = Date.now()

const { secret } = await add('webhook', 'https://hook.example/')
await add('slack', 'https://slack.example/services/T/B/x')
await add('teams', 'https://teams.example/workflows/x')
const address = 'merchant@inbox.example'
const { id: mailId } = await channels.add(SHOP, { kind: 'mail', target: address }, OWNER)
const [, confirmation] = /https:\/\/aisle\.example(\/confirm\/\w+)/.exec(
  smtp.received[0]?.mail.text ?? '',
) as RegExpExecArray
expect(confirmation).toBeDefined()
await db.$client`update watch_channels set confirmed_at = now() where id = ${mailId}`
await channels.add(SHOP, { kind: 'feed' }, OWNER)

const sent: WatchNotice[] = []
for (const [, title] of TITLES) {
  clock.at += 1000
  sent.push(await tell(saying(title)))
}
await Promise.all([deliver(), deliverMail()])

/** A mail with harmless text in the same fields. */
const HARMLESS = noticeMail(
  { ...sent[0]!, ...saying('Tent') },
  { to: address, unsubscribeUrl: BASE, host: 'aisle.example', channelId: 'x' },
).html

const receivedAt = (host: string) =>
  receiver.received.filter(({ headers }) => headers.host === host)
const noticed = (id: string) => sent.findIndex((notice) => notice.id === id)
const cases = TITLES.map(([name, title], n) => ({ name, title, n }))

/**
 * The text has no control character, unpaired surrogate or change of direction, and all words of
 * the title.
 */
function expectReadable(text: string, title: string) {
  expect(text).toBe(visibleText(text))
  for (const word of readable(visibleText(storableText(title)))) expect(text).toContain(word)
}

test('everything arrived, once', () => {
  for (const host of ['hook.example', 'slack.example', 'teams.example']) {
    expect(receivedAt(host)).toHaveLength(TITLES.length)
  }
  expect(smtp.received).toHaveLength(TITLES.length + 1)
})

test.each(cases)('a webhook says $name as text, and its library verifies it', ({ title, n }) => {
  const { body, headers } = receivedAt('hook.example').find(
    (each) => noticed(each.headers['webhook-id'] ?? '') === n,
  )!
  const { type, data } = new Webhook(secret!).verify(body, headers) as {
    type: string
    data: WatchNotice
  }
  expect(type).toBe('incident.opened')
  expectReadable(data.title, title)
  expect(data.url).toMatch(/^https:\/\/aisle\.example\/watches\//)
  expect(data.lines).toHaveLength(2)
  for (const line of data.lines) expectReadable(line, title)
  const [section] = data.sections ?? []
  expectReadable(section?.items[0]?.text ?? '', title)
  expect(Buffer.byteLength(body)).toBeLessThan(20_000)
})

test.each(cases)(
  'Slack takes $name, and reads no mention, link or markup in it',
  ({ title, n }) => {
    const message = SlackMessage.parse(JSON.parse(receivedAt('slack.example')[n]!.body))
    const texts = message.blocks.flatMap((block) => [
      ...('text' in block && block.text ? [block.text] : []),
      ...('fields' in block && block.fields ? block.fields : []),
      ...('elements' in block ? block.elements : []),
    ])
    const [link, ...others] = texts.toSorted((a, b) => a.type.localeCompare(b.type))
    // Only our own link is a link; a store's words are in unformatted text.
    expect(link).toMatchObject({
      type: 'mrkdwn',
      text: expect.stringMatching(/^<https:\/\/aisle\.example\/watches\/[^<>|]*\|[\w ]+>$/),
    })
    for (const each of others) {
      expect(each.type).toBe('plain_text')
      expect(sequencesIn(each.text)).toEqual([])
      expect(each.text.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/)
    }
    expect(message.mrkdwn).toBe(false)
    expect(sequencesIn(message.text)).toEqual([])
    expectReadable(shownBySlack(message.blocks[0]!.type === 'header' ? texts[0]!.text : ''), title)
  },
)

// The lib folder of the package cannot be loaded by Node: its imports have no extension.
const cards: typeof import('adaptivecards') = createRequire(import.meta.url)(
  'adaptivecards/dist/adaptivecards.js',
)

test.each(cases)('Teams takes $name, and reads no markup in it', ({ title, n }) => {
  const body = receivedAt('teams.example')[n]!.body
  expect(Buffer.byteLength(body)).toBeLessThan(28_000)
  const { type, attachments } = JSON.parse(body)
  expect([type, attachments.length, attachments[0].contentType]).toEqual([
    'message',
    1,
    'application/vnd.microsoft.card.adaptive',
  ])
  const card = new cards.AdaptiveCard()
  const context = new cards.SerializationContext(cards.Versions.v1_4)
  card.parse(attachments[0].content, context)
  expect(context.eventCount).toBe(0)
  const items = Array.from({ length: card.getItemCount() }, (_, at) => card.getItemAt(at))
  expect(new Set(items.map((item) => item.getJsonTypeName()))).toEqual(new Set(['RichTextBlock']))
  const runs = items.flatMap((item) => {
    const block = item as InstanceType<typeof cards.RichTextBlock>
    return Array.from({ length: block.getInlineCount() }, (_, at) => block.getInlineAt(at))
  }) as InstanceType<typeof cards.TextRun>[]
  const links = runs.flatMap(({ selectAction }) => selectAction?.toJSON() ?? [])
  expect(links).toEqual([{ type: 'Action.OpenUrl', url: `${BASE}/watches/${SHOP}` }])
  for (const { text } of runs) expect(text).not.toContain('{{')
  expectReadable(runs[0]!.text ?? '', title)
  expect(card.getActionCount()).toBe(1)
})

test.each(cases)('a mail says $name as text, and has no header by it', ({ title, n }) => {
  const { raw, mail, to, from, isEncrypted } = smtp.received[n + 1]!
  expect([to, from, isEncrypted]).toEqual([[address], 'alerts@aisle.example', true])
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  const names = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')))
  expect(names.toSorted()).toEqual([
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ])
  expect(mail.attachments).toEqual([])
  expectReadable(mail.subject ?? '', title)
  expect(mail.messageId).toBe(`<${sent[n]!.id}.${mailId}@aisle.example>`)
  const { html } = mail
  if (typeof html !== 'string') throw new Error('there is no HTML')
  expect(elementsOf(html)).toEqual(elementsOf(HARMLESS))
  const [firstLine = ''] = (mail.text ?? '').split('\n')
  expectReadable(firstLine, title)
  expect(hrefsOf(html)).toEqual([
    `${BASE}/watches/${SHOP}`,
    expect.stringMatching(/^https:\/\/aisle\.example\/watches\//),
    expect.stringMatching(/^https:\/\/aisle\.example\/unsubscribe\/\w+$/),
  ])
})

const xml = feedXml(
  { domain: SHOP, feedUrl: `${BASE}/feeds/x.xml`, pageUrl: `${BASE}/watches/${SHOP}` },
  await newestNotices(db, { id: 'none', domain: SHOP, events: ['incident.opened'] }, 50),
)
const items = itemsOf(xml).toReversed()

test('the feed is well-formed XML to two parsers', async () => {
  const { valid, errors } = await validateXML({
    xml: { fileName: 'feed.xml', contents: xml },
    normalization: 'c14n',
  })
  expect(errors).toEqual([])
  expect(valid).toBe(true)
  expect(items).toHaveLength(TITLES.length)
})

test.each(cases)('a feed says $name as text, whatever its reader takes it for', ({ title, n }) => {
  const item = items[n]!
  expect(item.guid).toBe(`urn:uuid:${sent[n]!.id}`)
  expect(item.title).not.toMatch(/[<>]/)
  // A reader that takes the title for HTML finds no element.
  expect(elementsOf(item.title ?? '')).toEqual(['html', 'head', 'body'])
  expectReadable(item.title ?? '', title)
  expect(new Set(elementsOf(item.description ?? ''))).toEqual(
    new Set(['html', 'head', 'body', 'p', 'b', 'h2', 'ul', 'li', 'a']),
  )
})

/** Names of the elements that a browser makes of it, in their order. */
function elementsOf(html: string): string[] {
  const names: string[] = []
  const walk = (node: object) => {
    if ('tagName' in node) names.push(String(node.tagName))
    if ('childNodes' in node) for (const child of node.childNodes as object[]) walk(child)
  }
  walk(parse(html))
  return names
}

function hrefsOf(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')
}

/** The items of a feed, with the texts of their elements. */
function itemsOf(text: string): Record<string, string>[] {
  const parser = new SaxesParser()
  const found: Record<string, string>[] = []
  const open: string[] = []
  parser.on('opentag', ({ name }) => {
    open.push(name)
    if (name === 'item') found.push({})
  })
  parser.on('text', (value) => {
    const [inItem, name = ''] = open.slice(-2)
    const item = found.at(-1)
    if (inItem === 'item' && item) item[name] = (item[name] ?? '') + value
  })
  parser.on('closetag', () => open.pop())
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  return found
}
