import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { purchaseOf } from '../testing/transcripts.ts'
import {
  boughtOf,
  exchangeOf,
  MORNING,
  stepOf,
  stoppedOf,
  TOKEN,
  unmetOf,
  walkOf,
} from '../testing/walks.ts'
import type { Transcript } from '../transcript.ts'
import { transcriptCurl } from './curl.ts'
import { transcriptHar } from './har.ts'
import { transcriptMarkdown } from './markdown.ts'

const WALK = walkOf(MORNING, [
  boughtOf(MORNING),
  stoppedOf(MORNING),
  { ...stoppedOf(MORNING), intent: 'cancel_midway' },
  purchaseOf('preorder', [], { outcome: 'not_walked', why: 'Nothing can be pre-ordered.' }),
  purchaseOf('reorder', [], {
    orders: [
      { id: '1001', url: 'https://shop.example/orders/1001', cancelled: false },
      { id: '1002', url: null, cancelled: true },
    ],
    left_open: [{ id: 'chk_9', until: null, why: 'it answered 405' }],
  }),
])

/** What a store would like to see: markup, mentions, links, the end of a quote, and commands. */
const EVIL = [
  '<img src=x onerror=alert(1)></details><script>alert(1)</script>',
  '](javascript:alert(1)) ![x](https://evil.example/a.png)',
  '\n# Heading\n- [x] done\n```\n@everyone `',
  `'; touch /tmp/evil; echo "$(id)" \`id\` $HOME '`,
  '\u001b[2J\u202eevil\u2028\u0000',
].join(' ')

/** What no text for a terminal or a ticket may hold. */
const STEERS = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u

const HOSTILE: Transcript = walkOf(
  MORNING,
  [
    purchaseOf(
      'cheapest_variant',
      [
        stepOf(
          1,
          'open',
          EVIL,
          [
            {
              request: {
                method: 'POST',
                url: `https://shop.example/${EVIL}`,
                headers: { [EVIL]: EVIL, 'x-a': EVIL },
                body: EVIL,
                bytes: 1,
              },
              answer: {
                status: 500,
                headers: { [EVIL]: EVIL, 'content-type': EVIL, location: EVIL },
                body: EVIL,
                bytes: 1,
                cut: true,
              },
              failure: EVIL,
              ms: 1,
              at: EVIL,
            },
            { ...exchangeOf(MORNING, 0, ['GET', '/', null, null]), answer: null, failure: EVIL },
            ...['file:///etc/passwd', '-o/tmp/evil', '@/etc/passwd'].map((url) => {
              const exchange = exchangeOf(MORNING, 0, ['GET', '/', null, null])
              return { ...exchange, request: { ...exchange.request, url } }
            }),
          ],
          {
            failed: {
              ...unmetOf('session_opens', EVIL),
              field: EVIL,
              expected: EVIL,
              authority: EVIL,
            },
          },
        ),
      ],
      {
        why: EVIL,
        orders: [{ id: EVIL, url: EVIL, cancelled: true }],
        left_open: [{ id: EVIL, until: EVIL, why: EVIL }],
      },
    ),
    purchaseOf('preorder', [], { outcome: 'handed_over', why: EVIL }),
  ],
  { domain: EVIL, started_at: EVIL, stopped: EVIL, nothing: EVIL },
)
HOSTILE.routes[0]!.label = EVIL

test('Markdown: what failed comes first, once, with whose turn it is and what to change', () => {
  const markdown = transcriptMarkdown(WALK)
  expect(markdown).toContain('# Purchases by AI agents at `shop.example`')
  expect(markdown).toContain(
    '- UCP over REST, 2026-08-25: 2 passed, 2 failed, 1 not tried; an agent reads and writes',
  )
  expect(markdown.match(/^## Failed/gm)).toHaveLength(1)
  const failed = markdown.slice(markdown.indexOf('## Failed'))
  for (const line of [
    '## Failed: Two of one thing and one of another (UCP over REST, 2026-08-25)',
    '- **Turn:** your store',
    "- **Stopped at:** step 2, Asks what shipping to Albany costs, and what it's",
    '- **Found:** `No option was offered.`',
    '- **Where:** `totals[type=total].amount`',
    '- **Rule:** UCP 2026-08-25, Checkout',
    '- **What to change:** Offer at least one shipping option with its price for each address that you ship to.',
    '- **The same fault stopped:** Cancel after shipping was chosen',
    '1. ✓ Opens a checkout of one Tent (143 ms)',
    "2. ✗ Asks what shipping to Albany costs, and what it's (145 ms)",
    `PUT https://shop.example/ucp/checkout-sessions/${MORNING.session}`,
    'Answer: 200',
    '- Order `1001` <https://shop.example/orders/1001>: cancel and refund it.',
    '- Order `1002`: cancelled by the store; check that it is refunded.',
    '- Checkout `chk_9` could not be cancelled: `it answered 405`.',
    '- Passed: The cheapest variant in stock (UCP over REST, 2026-08-25)',
    '- Not tried: Something before it is released (UCP over REST, 2026-08-25): Nothing can be pre-ordered.',
  ]) {
    expect(failed).toContain(`${line}\n`)
  }
})

test('Markdown: a step that asked for nothing is proved by the answer before it', () => {
  const { steps } = boughtOf(MORNING)
  const failing = stepOf(2, 'shipping', 'Chooses nothing', [], {
    failed: unmetOf('shipping_is_offered', 'None is offered.'),
  })
  const purchase = purchaseOf('po_box', [steps[0]!, failing, { ...steps[1]!, n: 3 }])
  const markdown = transcriptMarkdown(walkOf(MORNING, [purchase]))
  expect(markdown).toContain('POST https://shop.example/ucp/checkout-sessions\n')
  expect(markdown).not.toContain('/cancel\n')
})

test('Markdown: faults of the store come before those of others, and a walk of nothing says so', () => {
  const other = purchaseOf('po_box', [
    stepOf(1, 'open', 'Opens', [], { failed: unmetOf('answers', 'None came.', 'network') }),
  ])
  const turns = transcriptMarkdown(walkOf(MORNING, [other, stoppedOf(MORNING)])).match(
    /Turn:\*\* .*/g,
  )
  expect(turns).toEqual(['Turn:** your store', 'Turn:** the network'])
  const nothing = transcriptMarkdown(
    walkOf(MORNING, [], { routes: [], nothing: 'No profile was found.' }),
  )
  expect(nothing).toContain('- Nothing could be walked: No profile was found.')
})

test('Markdown: what a store wrote is text', () => {
  const markdown = transcriptMarkdown(HOSTILE)
  expect(markdown).toContain('evil')
  expect(markdown).not.toMatch(STEERS)
  const outside = markdown
    .replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
    .replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  expect(outside).not.toMatch(/(?<!\\)[<@]|(?<!\\)\]\(/)
  expect(outside.match(/^# /gm)).toHaveLength(1)
  expect(outside).not.toMatch(/^- \[x\]/m)
})

// HAR 1.2, as its specification has it: objects may have more, and these fields must be there.
const Pair = z.object({ name: z.string(), value: z.string() })
const Moment = z.iso.datetime({ offset: true })
const Har = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    pages: z.array(
      z.object({
        startedDateTime: Moment,
        id: z.string(),
        title: z.string(),
        pageTimings: z.object({}),
      }),
    ),
    entries: z.array(
      z.object({
        pageref: z.string(),
        startedDateTime: Moment,
        time: z.number().min(0),
        request: z.object({
          method: z.string(),
          url: z.url(),
          httpVersion: z.string(),
          cookies: z.array(Pair),
          headers: z.array(Pair),
          queryString: z.array(Pair),
          postData: z
            .object({ mimeType: z.string(), params: z.array(Pair), text: z.string() })
            .optional(),
          headersSize: z.int(),
          bodySize: z.int(),
        }),
        response: z.object({
          status: z.int(),
          statusText: z.string(),
          httpVersion: z.string(),
          cookies: z.array(Pair),
          headers: z.array(Pair),
          content: z.object({ size: z.int(), mimeType: z.string(), text: z.string() }),
          redirectURL: z.string(),
          headersSize: z.int(),
          bodySize: z.int(),
        }),
        cache: z.object({}),
        comment: z.string().optional(),
        timings: z.object({ send: z.number(), wait: z.number(), receive: z.number() }),
      }),
    ),
  }),
})

test('HAR: each request is an entry of the page of its purchase', () => {
  const { log } = Har.parse(JSON.parse(transcriptHar(WALK)))
  expect(log.pages.map(({ id }) => id)).toEqual([
    'ucp_rest/catalog',
    'ucp_rest/cheapest_variant',
    'ucp_rest/two_and_one',
    'ucp_rest/cancel_midway',
  ])
  expect(log.entries).toHaveLength(7)
  expect(log.entries.every(({ pageref }) => log.pages.some(({ id }) => id === pageref))).toBe(true)
  expect(log.entries[1]).toMatchObject({
    request: { method: 'POST', postData: { mimeType: 'application/json' } },
    response: { status: 201, content: { mimeType: 'application/json' } },
    comment: 'Step 1: Opens a checkout of one Tent',
  })
  const silent = {
    ...exchangeOf(MORNING, 0, ['GET', '/a?b=c+d&e=%zz&f', null, null]),
    answer: null,
    failure: 'timed out',
  }
  const one = Har.parse(
    JSON.parse(
      transcriptHar(
        walkOf(MORNING, [purchaseOf('po_box', [stepOf(1, 'open', 'Opens', [silent])])]),
      ),
    ),
  )
  expect(one.log.entries.at(-1)).toMatchObject({
    request: {
      queryString: [
        { name: 'b', value: 'c d' },
        { name: 'e', value: '%zz' },
        { name: 'f', value: '' },
      ],
    },
    response: { status: 0 },
  })
})

test('HAR: what a store wrote is text', () => {
  const har = transcriptHar(HOSTILE)
  expect(har).not.toMatch(STEERS)
  expect(JSON.stringify(JSON.parse(har))).toContain('\u202e')
})

/** Runs a script in which curl prints its arguments, one in each line. */
function run(script: string, env: Record<string, string>) {
  const { stdout, status } = spawnSync('sh', ['-s'], {
    input: `curl() { for each in "$@"; do printf '%s\\n' "$each"; done; echo .; }\n${script}`,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return stdout
    .split('.\n')
    .filter((call) => call !== '')
    .map((call) => call.trimEnd().split('\n'))
}

test('cURL: a line for each request sends what was sent, and secrets come from variables', () => {
  const script = transcriptCurl(WALK)
  expect(script).toContain("# export AISLE_TOKEN='…'  # a token of your test PSP\n")
  expect(script).toContain("# export AISLE_AUTHORIZATION='…'")
  expect(script).not.toContain('AISLE_CARD')
  expect(script).not.toContain('[masked')
  const calls = run(script, {
    AISLE_TOKEN: TOKEN,
    AISLE_AUTHORIZATION: 'agent key',
    AISLE_EMAIL: 'a@b.example',
  })
  expect(calls).toHaveLength(7)
  expect(calls[1]).toEqual([
    '-sS',
    '-i',
    '-g',
    '-X',
    'POST',
    'https://shop.example/ucp/checkout-sessions',
    '-H',
    'content-type: application/json',
    '-H',
    'authorization: Bearer agent key',
    '-H',
    `idempotency-key: ${MORNING.key}`,
    '--data-raw',
    JSON.stringify({
      line_items: [{ item: { id: 'var_tent_64021' }, quantity: 1 }],
      buyer: { email: 'a@b.example' },
      payment: { token: TOKEN },
    }),
  ])
})

test('cURL: what a store wrote is neither a command nor a file', () => {
  const script = transcriptCurl(HOSTILE)
  expect(script).not.toMatch(STEERS)
  const calls = run(script, {})
  expect(calls).toHaveLength(3)
  expect(calls[1]![5]).toContain(`'; touch /tmp/evil; echo "$(id)" \`id\` $HOME '`)
  expect(
    calls.flat().some((argument) => argument.startsWith('@') || argument.startsWith('file:')),
  ).toBe(false)
})

test.each([transcriptMarkdown, transcriptHar, transcriptCurl])(
  '%o of an empty walk is one',
  (toText) => {
    expect(toText(walkOf(MORNING, [], { routes: [] }))).not.toBe('')
  },
)
