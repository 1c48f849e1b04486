import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { INTENTS } from '../../../shared/walk/intents.ts'
import { purchaseOf } from '../../../shared/walk/testing/transcripts.ts'
import {
  boughtOf,
  EVENING,
  eventsOf,
  MORNING,
  stepOf,
  stoppedOf,
  TOKEN,
  unmetOf,
  walkOf,
} from '../../../shared/walk/testing/walks.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import type { WalkOrder } from '../../audit/walk/order.ts'
import { readTerminal } from '../testing/read-terminal.ts'
import { type WalkFlags, walkCommand } from './walk.ts'
import { type FileLedger, openFileLedger } from './walk-ledger.ts'

const folder = await mkdtemp(join(inject('runFolder'), 'walk-'))
const PASSED = walkOf(MORNING, [boughtOf(MORNING)])
const LOOK: WalkFlags = { yesOpenSessions: true }
const EVIL = '\u001b[2J\u202e\r::error::evil'

let orders: WalkOrder[]
beforeEach(() => {
  orders = []
})

/** Runs the command with a walk that ends like this. */
async function run(
  domain: string | undefined,
  flags: WalkFlags,
  {
    transcript = PASSED,
    env = {},
    swept = 0,
    width = 100,
  }: { transcript?: Transcript; env?: Record<string, string>; swept?: number; width?: number } = {},
) {
  const { terminal, read, remarks } = readTerminal({ width })
  const code = await walkCommand(
    domain,
    flags,
    {
      walk: async (order, { onEvent }) => {
        orders.push(order)
        for (const event of eventsOf(transcript)) onEvent?.(event)
        return transcript
      },
      sweep: async () => swept,
      openLedger: (name): Promise<FileLedger> => openFileLedger(join(folder, 'walks'), name),
      secret: (name) => env[name],
      runner: { summary: undefined, output: undefined },
      signal: new AbortController().signal,
    },
    terminal,
  )
  return { code, out: read(), remarks: remarks().join('\n') }
}

const look = INTENTS.filter(({ mode }) => mode === 'look').map(({ id }) => id)

describe('what is walked', () => {
  test.each<[string, WalkFlags, Partial<WalkOrder>]>([
    ['Shop.Example.', LOOK, { domain: 'shop.example', mode: 'look', intents: look }],
    [
      'shop.example',
      { ...LOOK, intent: 'po_box, reorder,po_box' },
      { intents: ['po_box', 'reorder'] },
    ],
    ['shop.example', { ...LOOK, dialect: 'acp,ucp_mcp' }, { dialects: ['acp', 'ucp_mcp'] }],
    ['shop.example', { ...LOOK, agentKeyEnv: 'KEY' }, { agentKey: 'agent key' }],
    [
      'shop.example',
      { mode: 'sandbox', tokenEnv: 'TOKEN' },
      {
        mode: 'sandbox',
        tokens: { good: TOKEN },
        // Those that need another token are left out.
        intents: INTENTS.map(({ id }) => id).filter(
          (id) => !['declined_card', 'challenge'].includes(id),
        ),
      },
    ],
    [
      'shop.example',
      { mode: 'sandbox', token: 'tok_a', declinedToken: 'tok_b', challengedToken: 'tok_c' },
      {
        tokens: { good: 'tok_a', declined: 'tok_b', challenged: 'tok_c' },
        intents: INTENTS.map(({ id }) => id),
      },
    ],
  ])('%s %j', async (domain, flags, expected) => {
    await run(domain, flags, { env: { TOKEN, KEY: 'agent key' } })
    expect(orders).toMatchObject([expected])
  })

  test.each<[string | undefined, WalkFlags, string]>([
    ['shop.example', { ...LOOK, mode: ',' }, '--mode names nothing. It takes look, sandbox.'],
    ['shop.example', {}, 'add --yes-open-sessions'],
    ['shop.example', { intent: 'po_box,' }, 'as an AI agent would: 1 purchase in each protocol'],
    [undefined, LOOK, 'Name a domain'],
    ['ftp://shop.example/', LOOK, 'shop.example'],
    [
      'shop.example',
      { ...LOOK, intent: 'po_box,steal' },
      '--intent does not know "steal". It takes cheapest_variant, two_and_one',
    ],
    ['shop.example', { ...LOOK, intent: EVIL }, '--intent does not know "\\x1b[2J'],
    [
      'shop.example',
      { ...LOOK, dialect: 'rest' },
      'It takes spec_ucp, spec_acp, ucp_rest, ucp_mcp, acp.',
    ],
    [
      'shop.example',
      { ...LOOK, mode: 'pay' },
      '--mode does not know "pay". It takes look, sandbox.',
    ],
    [
      'shop.example',
      { ...LOOK, format: 'xml' },
      'It takes text, json, markdown, junit, sarif, github, har, curl.',
    ],
    [
      'shop.example',
      { ...LOOK, json: true, format: 'har' },
      'Give --json or --format har, not both.',
    ],
    ['shop.example', { ...LOOK, out: 'a.yml' }, '--format says what a.yml is to hold'],
    ['shop.example', { ...LOOK, token: TOKEN }, 'Give --mode sandbox to pay with it.'],
    [
      'shop.example',
      { ...LOOK, intent: 'declined_card' },
      'declined_card has to pay: give --mode sandbox.',
    ],
    ['shop.example', { mode: 'sandbox' }, 'give --token-env'],
    [
      'shop.example',
      { mode: 'sandbox', tokenEnv: 'NONE' },
      '--token-env names NONE, but that variable is not set.',
    ],
    [
      'shop.example',
      { mode: 'sandbox', tokenEnv: 'TOKEN', token: TOKEN },
      'Give --token or --token-env, not both.',
    ],
    ['shop.example', { mode: 'sandbox', token: ' ' }, '--token is empty.'],
    ['shop.example', { mode: 'sandbox', token: 'abc' }, '--token has at least 4 characters.'],
    [
      'shop.example',
      { mode: 'sandbox', token: 'tok_a', intent: 'challenge' },
      'challenge needs a token: give --challenged-token-env.',
    ],
    ['shop.example', { ...LOOK, replay: '/nowhere' }, '/nowhere does not exist'],
  ])('%s %j is refused, and nothing is asked of the store', async (domain, flags, sentence) => {
    const refused = run(domain, flags, { env: { TOKEN } })
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.not.toThrow(TOKEN)
    expect(orders).toEqual([])
  })

  test('the intents are listed with their names', async () => {
    const { out, code } = await run(undefined, { intents: true })
    expect(code).toBe(0)
    expect(out).toContain('sold_out_variant   Ask for something that is sold out')
    expect(out).toContain('Pay with a card that is declined (--mode sandbox)')
    expect(orders).toEqual([])
  })
})

const unmet = (party: 'store' | 'agent' | 'buyer' | 'network') =>
  walkOf(MORNING, [
    boughtOf(MORNING),
    purchaseOf('po_box', [
      stepOf(1, 'open', 'Opens', [], { failed: unmetOf('answers', 'No.', party) }),
    ]),
  ])

test.each<[string, Transcript, number]>([
  ['all passed', PASSED, 0],
  ['the buyer goes on', walkOf(MORNING, [purchaseOf('po_box', [], { outcome: 'handed_over' })]), 0],
  [
    'one could not be tried',
    walkOf(MORNING, [boughtOf(MORNING), purchaseOf('preorder', [], { outcome: 'not_walked' })]),
    0,
  ],
  ['a fault of the store', unmet('store'), 1],
  [
    'a fault of the store, and an early end',
    { ...unmet('store'), stopped: 'It was cancelled.' },
    1,
  ],
  ['no answer', unmet('network'), 2],
  ['a fault of ours', unmet('agent'), 2],
  [
    'none could be tried',
    walkOf(MORNING, [purchaseOf('preorder', [], { outcome: 'not_walked' })]),
    2,
  ],
  ['nothing there', walkOf(MORNING, [], { routes: [], nothing: 'No profile was found.' }), 2],
  ['an early end', { ...PASSED, stopped: 'It was cancelled.' }, 2],
])('%s: the exit code', async (_, transcript, code) => {
  expect((await run('shop.example', LOOK, { transcript })).code).toBe(code)
})

test('purchases that fail for reasons that are not the store’s are told as such', async () => {
  const transcript = walkOf(MORNING, [
    boughtOf(MORNING),
    ...(['po_box', 'reorder'] as const).map((intent) =>
      purchaseOf(intent, [
        stepOf(1, 'open', 'Opens', [], {
          failed: unmetOf('answers', 'It answered 429.', 'network'),
        }),
      ]),
    ),
  ])
  const message =
    "2 purchases failed for reasons that are not the store's (It answered 429); 1 passed. Walk again later."
  const { out } = await run('shop.example', LOOK, { transcript, width: 200 })
  expect(out.split('\n').at(-1)).toBe(message)
  const written = await run('shop.example', { ...LOOK, format: 'markdown' }, { transcript })
  expect(written.out).toContain(message.split('(')[0])
  expect(written.out).not.toContain('No purchase came')
  const { out: cancelled } = await run('shop.example', LOOK, {
    transcript: { ...PASSED, stopped: 'The walk was cancelled.' },
  })
  expect(cancelled.match(/was cancelled/g)).toHaveLength(1)
})

test('steps are told as they end, and a failed one with whose turn it is and what to change', async () => {
  const transcript = walkOf(MORNING, [
    boughtOf(MORNING),
    stoppedOf(MORNING),
    purchaseOf('preorder', [], { outcome: 'not_walked', why: 'Nothing can be pre-ordered.' }),
    purchaseOf('reorder', [], {
      orders: [{ id: '1001', url: null, cancelled: true }],
      left_open: [{ id: 'chk_9', until: '2026-11-23T11:00:00Z', why: 'it answered 405' }],
    }),
  ])
  const { out, remarks } = await run('shop.example', LOOK, { transcript, swept: 2 })
  expect(out).toBe(`
UCP over REST, 2026-08-25  https://shop.example/ucp
    ✓ Searches the catalog 142 ms
  The cheapest variant in stock  cheapest_variant
    ✓ Opens a checkout of one Tent 143 ms
    ✓ Cancels the checkout 144 ms
  Two of one thing and one of another  two_and_one
    ✓ Opens a checkout of one Tent 143 ms
    ✗ Asks what shipping to Albany costs, and what it's 145 ms
      Expected: A complete address gets a shipping option.
      Found: No option was offered.
      Where: totals[type=total].amount
      Turn: your store (UCP 2026-08-25, Checkout)
      To change: Offer at least one shipping option with its price for each address that you ship
      to.
  Something before it is released  preorder
    – Not tried: Nothing can be pre-ordered.
  The same again  reorder
    Order 1001 was placed, and cancelled again
    Checkout chk_9 could not be cancelled: it answered 405. It ends by itself: 2026-11-23T11:00:00Z.

Agents can shop in your store through UCP, right up to the payment.
UCP over REST, 2026-08-25: 2 passed, 1 failed, 1 not tried. 5 requests, 2 kB, about 563 tokens.`)
  expect(remarks).toBe('Cancelled what earlier walks had left open: 2.')
})

test.each<[string, string]>([
  ['json', '"version": 1'],
  ['markdown', '# Purchases by AI agents at `shop.example`'],
  ['har', '"version": "1.2"'],
  ['curl', '#!/bin/sh'],
])('as %s, to the terminal and to a file', async (format, start) => {
  const { out } = await run('shop.example', { ...LOOK, format })
  expect(out.slice(0, 60)).toContain(start)
  const file = join(folder, `out.${format}`)
  const { out: live, remarks } = await run('shop.example', { ...LOOK, format, out: file })
  expect(live).toContain('✓ Opens a checkout of one Tent')
  expect(remarks).toBe(`Wrote ${file}.`)
  expect((await readFile(file, 'utf8')).trimEnd()).toBe(out)
})

test.each([
  ['a.json', '{\n  "version": 1,'],
  ['a.md', '# Purchases'],
  ['a.HAR', '{\n  "log"'],
  ['a.sh', '#!/bin/sh'],
  ['a.txt', '\nUCP over REST'],
])('the ending of %s says what it holds', async (name, start) => {
  const file = join(folder, name)
  await run('shop.example', { ...LOOK, out: file })
  expect((await readFile(file, 'utf8')).slice(0, start.length)).toBe(start)
})

describe('a replay', () => {
  const write = async (value: unknown) => {
    const file = join(folder, 'before.json')
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
    return { ...LOOK, replay: file }
  }
  const dearer = walkOf(EVENING, [boughtOf(EVENING, { currency: 'EUR' })])

  test('makes the same purchases, and names what has changed', async () => {
    const flags = await write(PASSED)
    const { out } = await run(undefined, flags, {
      transcript: walkOf(EVENING, [boughtOf(EVENING)]),
    })
    expect(orders).toMatchObject([
      {
        domain: 'shop.example',
        mode: 'look',
        intents: ['cheapest_variant'],
        dialects: ['ucp_rest'],
      },
    ])
    expect(out).toContain('Nothing has changed since the walk of 2026-11-23T10:00:00.000Z.')
    const { out: changed } = await run('shop.example', flags, { transcript: dearer })
    expect(changed).toContain(
      'ucp_rest, The cheapest variant in stock, step 1: currency: "USD" → "EUR"',
    )
  })

  test('is written with its differences, and can be replayed itself', async () => {
    const file = join(folder, 'replayed.json')
    await run(undefined, { ...(await write(PASSED)), out: file }, { transcript: dearer })
    const written = JSON.parse(await readFile(file, 'utf8'))
    expect(written.differences).toMatchObject([{ at: 'currency', before: '"USD"', after: '"EUR"' }])
    const { out } = await run(undefined, { ...LOOK, replay: file }, { transcript: dearer })
    expect(out).toContain('Nothing has changed')
  })

  test.each<[unknown, string | undefined, string]>([
    ['{', undefined, 'is not a transcript of this version (the whole file)'],
    [{ ...PASSED, version: 2 }, undefined, '(version)'],
    [{ ...PASSED, routes: [{ dialect: 'x' }] }, undefined, '(routes.0.dialect)'],
    ['['.repeat(100_000), undefined, 'is not a transcript'],
    [PASSED, 'other.example', 'That transcript is of shop.example, not of other.example.'],
  ])('of %.40j is refused', async (value, domain, sentence) => {
    await expect(run(domain, await write(value))).rejects.toThrow(sentence)
    expect(orders).toEqual([])
  })
})

test('what a store says cannot steer the terminal, and secrets are nowhere', async () => {
  const [bought] = [boughtOf(MORNING)]
  const echo = `${EVIL} ${TOKEN} ${encodeURIComponent('agent key')}`
  const transcript = walkOf(
    MORNING,
    [
      {
        ...bought,
        steps: [
          stepOf(1, 'open', echo, bought.steps[0]!.exchanges, {
            concluded: [{ text: echo, field: echo }],
            failed: { ...unmetOf('session_opens', echo), field: echo },
          }),
        ],
        why: echo,
        outcome: 'handed_over',
        orders: [{ id: echo, url: echo, cancelled: false }],
      },
    ],
    { nothing: echo, stopped: echo },
  )
  for (const format of ['text', 'json', 'markdown', 'har', 'curl']) {
    const flags = { mode: 'sandbox', token: TOKEN, agentKey: 'agent key', format }
    const { out } = await run('shop.example', flags, { transcript })
    expect(out).toContain('evil')
    expect(out).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
    expect(out).not.toMatch(/^\s*::/m)
    expect(out).not.toContain(TOKEN)
    expect(out).not.toContain('agent%20key')
  }
})
