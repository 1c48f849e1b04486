import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { linksTo } from '../../audit/gap/links.ts'
import { NO_LINKS } from '../../audit/result/result.ts'
import { EXPECTATIONS, type ExpectationId, expectationOf } from '../../walk/expectations.ts'
import { INTENTS } from '../../walk/intents.ts'
import {
  exchangeOf,
  FAILED_AT_FOURTH,
  HOSTILE,
  NOTHING,
  PASSED,
  purchaseOf,
  routeOf,
  SEVERAL_DIALECTS,
  SIXTY_STEPS,
  STOPPED,
  stepOf,
  stepsOf,
  transcriptOf,
  UNDER_WAY,
  unmetOf,
} from '../../walk/testing/transcripts.ts'
import { type Purchase, STEP_NAMES, type Transcript } from '../../walk/transcript.ts'
import { markupOf } from '../testing/markup.ts'
import { type LineStop, purchaseLine } from './purchase-line.ts'
import { WalkView, type WalkViewProps } from './WalkView.tsx'

const html = (node: VNode) => renderToString(node)
const textIn = (markup: string) =>
  markup
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
const view = (transcript: Transcript, more: Partial<WalkViewProps> = {}) => (
  <WalkView transcript={transcript} links={linksTo('https://aisle.example')} {...more} />
)
const textOf = (transcript: Transcript, more: Partial<WalkViewProps> = {}) =>
  textIn(html(view(transcript, more)))

const ONE_WHOLE = purchaseOf('cheapest_variant', stepsOf(['open', 'shipping', 'cancel']))
const withOutcome = (outcome: Purchase['outcome']): Purchase => ({ ...ONE_WHOLE, outcome })
const failing = (id: ExpectationId, intent: Purchase['intent'] = 'cheapest_variant') =>
  purchaseOf(intent, stepsOf(['open'], unmetOf(id, 'It was not so.')))

describe('the summary', () => {
  test.each<[name: string, transcript: Transcript, said: string[], not: string[]]>([
    [
      'all passed',
      PASSED,
      [
        'Agents can shop in your store through UCP, right up to the payment of 142.00 USD.',
        'All 23 purchases went as they should.',
      ],
      ['What to tell your developer', 'stopped'],
    ],
    [
      'one failed',
      FAILED_AT_FOURTH,
      [
        'Agents can shop in your store through UCP',
        '22 of 23 purchases went as they should; one stopped when shipping was chosen.',
        'What to tell your developer',
      ],
      ['Agents cannot'],
    ],
    [
      'the only one failed',
      SIXTY_STEPS,
      [
        'Agents cannot buy from your store through UCP. It stopped when the basket was changed.',
        'The purchase stopped when the basket was changed.',
      ],
      ['of 1 purchases'],
    ],
    [
      'all failed',
      transcriptOf([routeOf([failing('session_opens'), failing('session_is_fast', 'reorder')])]),
      ['None of 2 purchases went as it should: 2 stopped when the checkout was opened.'],
      ['Agents can '],
    ],
    [
      'all through both protocols',
      transcriptOf(
        [
          routeOf([purchaseOf('cheapest_variant', stepsOf(['open', 'pay']))], 'ucp_rest'),
          routeOf([purchaseOf('cheapest_variant', stepsOf(['open', 'pay']))], 'ucp_mcp'),
          routeOf([purchaseOf('cheapest_variant', stepsOf(['open', 'pay']))], 'acp'),
        ],
        { mode: 'sandbox' },
      ),
      ['Agents can buy from your store through UCP and ACP.', 'Paid with the test token'],
      ['over REST and'],
    ],
    [
      'all but the payment, which always fails',
      transcriptOf(
        [
          routeOf([
            purchaseOf('cancel_midway', stepsOf(['open', 'shipping', 'cancel'])),
            purchaseOf('cheapest_variant', [
              ...stepsOf(['open', 'shipping']),
              stepOf(3, 'pay', unmetOf('takes_payment', '500: no', 'status')),
            ]),
          ]),
        ],
        { mode: 'sandbox' },
      ),
      ['Agents cannot buy from your store through UCP. It stopped when it was paid.'],
      ['Agents can '],
    ],
    [
      'a fault of the store after an answer that did not come',
      transcriptOf([
        routeOf([
          purchaseOf('cheapest_variant', [stepOf(1, 'open', unmetOf('answers', 'Silence.', 'id'))]),
          purchaseOf('two_and_one', [stepOf(1, 'open', unmetOf('session_opens', '500', 'id'))]),
        ]),
      ]),
      ['Agents cannot buy from your store through UCP. It stopped when the checkout was opened.'],
      ['nothing is known'],
    ],
    [
      'not the same in each dialect',
      SEVERAL_DIALECTS,
      [
        'through UCP over REST, 2026-08-25 and UCP over MCP, 2026-08-25: the first purchase cost 142.00 USD.',
        'Agents can fill a basket through ACP, 2026-04-17. Your customer then pays in your store.',
        'This agent could not buy through UCP of the specification, 1.0.',
        'Your store did not answer through ACP of the specification, 1.0, so nothing is known.',
        '4 of 6 purchases went as they should; 2 stopped when the checkout was opened.',
        'In one of them the buyer goes on in your store',
        'One more could not be tried.',
      ],
      [],
    ],
    [
      'nothing to walk',
      NOTHING,
      ['No purchase could be tried.', 'publishes neither a UCP profile nor an ACP endpoint.'],
      ['Agents can', 'purchases went'],
    ],
    [
      'ended early',
      STOPPED,
      ['The walk ended early', 'It was cancelled by its owner.', 'Interrupted'],
      ['Under way', 'under way'],
    ],
    [
      'only questions, of which none is a purchase',
      transcriptOf([routeOf([purchaseOf('sold_out_variant', stepsOf(['open']))])]),
      ['The purchase went as it should.'],
      ['Agents can', 'Agents cannot'],
    ],
  ])('%s', (_, transcript, said, not) => {
    const text = textOf(transcript)
    for (const each of said) expect(text).toContain(each)
    for (const each of not) expect(text).not.toContain(each)
  })

  test('nothing to buy was found: no purchase began', () => {
    const found = 'The catalog lists 3 products, and none of them has a price.'
    const browsing = [stepOf(1, 'find', unmetOf('something_to_buy', found, 'products'))]
    const text = textOf(transcriptOf([{ ...routeOf([]), browsing }]))
    expect(text).toContain('Agents cannot buy from your store through UCP.')
    expect(text).toContain('No purchase began: it stopped while looking for something to buy')
    expect(text).toContain(found)
  })

  test('what a purchase costs is that of a whole one', () => {
    expect(textOf(FAILED_AT_FOURTH)).toMatch(
      /A purchase costs an agent 5 requests, 2\.\d kB, about 5\d0 tokens/,
    )
    expect(textOf(SIXTY_STEPS)).not.toContain('A purchase costs')
  })
})

const SHIPPING_GAP = `https://aisle.example/gaps/${expectationOf('shipping_can_be_chosen').gaps.ucp}`

describe('what to tell the developer', () => {
  test('expectation, found, field, turn, authority, change and the page about it', () => {
    expect(textOf(FAILED_AT_FOURTH)).toMatch(
      new RegExp(
        [
          'What the buyer wanted The cheapest variant in stock\\. See every step',
          'What should happen An offered shipping option can be chosen',
          'What happened instead Ground for 13\\.00 USD was chosen, .*129\\.00 USD\\. \\(in totals\\[type=total\\]\\.amount \\)',
          'Whose turn it is Your store\\. The fault is in your store',
          'What to change Take the id of an option that you offered, .* Read about this gap',
          'The rule UCP 2026-08-25, Checkout',
          'Seen over UCP over REST, 2026-08-25',
        ].join('.*'),
      ),
    )
    expect(html(view(FAILED_AT_FOURTH))).toContain(`href="${SHIPPING_GAP}"`)
  })

  test('as text to send on, with the request and an address that opens', () => {
    const code = /<code>(A purchase by[^<]*)/.exec(
      html(view(FAILED_AT_FOURTH, { address: 'https://aisle.example/shared/x' })),
    )?.[1]
    expect(code?.split('\n')).toEqual([
      'A purchase by an AI agent at shop.example stopped when shipping was chosen.',
      '',
      expect.stringContaining('What should happen: '),
      expect.stringContaining('(in totals[type=total].amount)'),
      expect.stringContaining('What to change: '),
      'The rule: UCP 2026-08-25, Checkout',
      'Seen over: UCP over REST, 2026-08-25',
      'Request: PUT https://shop.example/ucp/checkout-sessions/chk_4Jq81',
      'Answer: status 200',
      `More: ${SHIPPING_GAP}`,
      'More: https://aisle.example/shared/x',
    ])
  })

  test('a fault that stops many purchases is told once', () => {
    const failed = LOOK_INTENTS.map(({ id }) => failing('session_opens', id))
    const page = html(view(transcriptOf([routeOf(failed), routeOf(failed, 'ucp_mcp')])))
    expect(page.match(/walk-fault/g)).toHaveLength(1)
    expect(textIn(page)).toContain(`And ${failed.length * 2 - 1} other purchases stopped`)
    expect(textIn(page)).toContain('Seen over UCP over REST, 2026-08-25; UCP over MCP, 2026-08-25')
  })

  test.each(EXPECTATIONS.map(({ id, party, gaps }) => ({ id, party, gaps })))(
    '$id: what to change, whose turn, and the gap of its protocol',
    ({ id, party, gaps }) => {
      for (const [dialect, gap] of [
        ['ucp_rest', gaps.ucp],
        ['spec_acp', gaps.acp],
      ] as const) {
        const page = html(view(transcriptOf([routeOf([failing(id)], dialect)])))
        const { fix } = EXPECTATIONS.find((each) => each.id === id)!
        expect(textIn(page)).toContain(fix)
        expect(textIn(page)).toContain(
          {
            store: 'Your store.',
            agent: 'The agent.',
            buyer: 'The buyer.',
            network: 'The network.',
          }[party as 'store' | 'agent' | 'buyer' | 'network'],
        )
        expect(page.includes('/gaps/')).toBe(gap !== null)
        if (gap !== null) expect(page).toContain(`/gaps/${gap}"`)
      }
    },
  )

  test('where there is no service there is no link', () => {
    expect(html(view(FAILED_AT_FOURTH, { links: NO_LINKS }))).not.toContain('/gaps/')
  })
})

const LOOK_INTENTS = INTENTS.filter(({ mode }) => mode === 'look')

describe('the line of a purchase', () => {
  const said = (stops: LineStop[]) =>
    stops.map(({ step, state, count }) => `${step}${count > 1 ? `×${count}` : ''} ${state}`)
  const lineIn = ({ routes, mode }: Transcript, at: number, isLive = false) =>
    said(purchaseLine(routes[0]!.purchases[at]!, routes[0]!, mode, isLive))

  test('is green until the step that failed, and grey after it', () => {
    expect(lineIn(FAILED_AT_FOURTH, 0)).toEqual([
      'open ok',
      'quote ok',
      'address ok',
      'shipping stopped',
      'cancel after',
    ])
  })

  test('goes on with what was not reached, or comes', () => {
    expect(lineIn(UNDER_WAY, 1, true)).toEqual([
      'open ok',
      'quote ok',
      'address ok',
      'shipping next',
      'change coming',
    ])
    expect(lineIn(UNDER_WAY, 1).slice(3)).toEqual(['shipping ahead', 'change ahead'])
  })

  test('has payment ahead of it in a sandbox alone', () => {
    const walk = transcriptOf([routeOf([failing('session_opens')])])
    expect(lineIn(walk, 0)).not.toContain('pay ahead')
    expect(lineIn({ ...walk, mode: 'sandbox' }, 0).slice(1)).toEqual([
      'quote ahead',
      'address ahead',
      'shipping ahead',
      'page ahead',
      'pay ahead',
      'order ahead',
    ])
  })

  test('has nothing ahead that the dialect cannot do, as a whole purchase shows', () => {
    const walk = transcriptOf([
      routeOf([purchaseOf('reorder', stepsOf(['open', 'shipping'])), failing('session_opens')]),
    ])
    expect(lineIn(walk, 1)).toEqual(['open stopped', 'shipping ahead', 'page ahead'])
  })

  test('takes a run of one step for one stop', () => {
    expect(lineIn(SIXTY_STEPS, 0)).toEqual([
      'open ok',
      'quote ok',
      'address ok',
      'shipping ok',
      'change×54 ok',
      'change stopped',
      'cancel after',
    ])
  })

  test.each(STEP_NAMES)('%s has a name, and words for when it stopped there', (name) => {
    const steps = stepsOf([name], unmetOf('answers', 'It was not so.'))
    const text = textOf(transcriptOf([routeOf([purchaseOf('cheapest_variant', steps)])]))
    expect(text).not.toContain('undefined')
    expect(text).toContain('stopped here')
  })
})

describe('the purchases', () => {
  const opened = (transcript: Transcript, more: Partial<WalkViewProps> = {}) =>
    [...html(view(transcript, more)).matchAll(/<details [^>]*class="walk-(\w+)[^"]*"[^>]*>/g)]
      .filter(([tag]) => / open\b/.test(tag))
      .map(([, name]) => name)

  test('only the one that failed is open, with its failed step', () => {
    expect(opened(FAILED_AT_FOURTH)).toEqual(['purchase', 'step'])
    expect(opened(PASSED)).toEqual([])
  })

  test('of sixty steps those before the last few are folded', () => {
    expect(textOf(SIXTY_STEPS)).toMatch(/Steps 1 to 55, all as they should be 1\. Puts/)
    expect(textOf(PASSED)).not.toContain('all as they should be')
  })

  test.each<[Purchase['outcome'], string]>([
    ['passed', 'As it should be'],
    ['handed_over', 'A person finishes this purchase in your store'],
    ['not_walked', 'Not tried'],
    ['under_way', 'Interrupted'],
  ])('%s is said in words', (outcome, words) => {
    const why = 'Because of this.'
    const text = textOf(transcriptOf([routeOf([{ ...withOutcome(outcome), why }])]))
    expect(text).toContain(words)
    expect(text).toContain(why)
  })

  test('no state is told by colour alone', () => {
    const words = { ok: 'as it should be', stopped: 'stopped here', after: 'afterwards' }
    const page = html(view(FAILED_AT_FOURTH))
    for (const [state, said] of Object.entries(words)) {
      const lines = [...page.matchAll(new RegExp(`<li class="is-${state}">(.*?)</li>`, 'g'))]
      expect(lines).not.toEqual([])
      for (const [, inner = ''] of lines) {
        expect(inner).toContain('<svg')
        expect(textIn(inner)).toContain(said)
      }
    }
  })

  test('an exchange has all that was sent: method, address, headers, body, time and size', () => {
    const text = textOf(FAILED_AT_FOURTH)
    for (const each of [
      'PUT https://shop.example/ucp/checkout-sessions/chk_4Jq81',
      'Authorization: (masked)',
      '"option": "ground"',
      'x-request-id: req_8d2f',
      '124 ms, 327 B',
      'about 110 tokens',
    ]) {
      expect(text).toContain(each)
    }
  })

  test('a walk too long for a browser shows what failed, and where the rest is', () => {
    const long = exchangeOf('POST', '/x', { note: 'x'.repeat(400_000) })
    const steps = [{ ...stepOf(1, 'open'), exchanges: [long] }]
    const passed = LOOK_INTENTS.slice(1, 6).map(({ id }) => purchaseOf(id, steps))
    const walk = transcriptOf([routeOf([...passed, failing('session_opens')])])
    const page = html(
      view(walk, { aloneHref: ({ dialect, intent }) => `?purchase=${dialect}.${intent}` }),
    )
    expect(page.length).toBeLessThan(2_000_000)
    expect(page.match(/\?purchase=/g)).toHaveLength(3)
    expect(page).not.toContain('?purchase=ucp_rest.cheapest_variant')
  })

  test('what a store makes long where it is written is measured so, also of the browsing', () => {
    // Each digit has a line of its own, and is sent with a space before it.
    const wide = exchangeOf('GET', '/x', null, 200, [Array.from({ length: 15_000 }, () => 1)])
    const body = wide.answer?.body.replaceAll(',', ', ') ?? ''
    const sent = { ...wide, answer: { ...wide.answer!, body } }
    const steps = [{ ...stepOf(1, 'open'), exchanges: Array.from({ length: 5 }, () => sent) }]
    const walk = transcriptOf([
      {
        ...routeOf(LOOK_INTENTS.slice(0, 8).map(({ id }) => purchaseOf(id, steps))),
        browsing: steps,
      },
      { ...routeOf([], 'ucp_mcp'), browsing: Array.from({ length: 3 }, () => steps).flat() },
    ])
    const page = html(view(walk, { aloneHref: () => '?purchase=x' }))
    expect(page.length).toBeLessThan(1_500_000)
    expect(page.match(/\?purchase=/g)?.length).toBeGreaterThan(4)
  })

  test('one purchase is shown, however much was read before it', () => {
    const long = exchangeOf('GET', '/x', null, 200, { note: 'x'.repeat(1_100_000) })
    const steps = [{ ...stepOf(1, 'open'), exchanges: [long] }]
    const route = {
      ...routeOf([purchaseOf('cheapest_variant', stepsOf(['pay']))]),
      browsing: steps,
    }
    const page = html(view(transcriptOf([route]), { aloneHref: () => '?purchase=x' }))
    expect(page.length).toBeLessThan(100_000)
    expect(page).not.toContain('?purchase=x')
  })
})

test('what is left in the store is listed with what to do', () => {
  const text = textOf(SEVERAL_DIALECTS)
  expect(text).toContain('Test orders that were placed in your store: 1 Cancel them')
  expect(text).toContain(
    'Checkout acp_cs_77 (ACP, 2026-04-17) : the store answered 405 to the cancellation (ends by itself Nov 21, 2026, 12:30 PM UTC )',
  )
})

test('one under way says what is done now, and screen readers hear it', () => {
  const page = html(view(UNDER_WAY))
  expect(page).toMatch(
    /role="status">Two of one thing and one of another \(UCP over REST, 2026-08-25\)\.</,
  )
  expect(textIn(page)).toContain('So far: The purchase went as it should.')
  expect(textOf(transcriptOf([], { ended_at: null }))).toContain(
    'Finding out what the store speaks.',
  )
  expect(textOf({ ...UNDER_WAY, routes: [routeOf([])] })).toContain(
    'Looking for something to buy (UCP over REST, 2026-08-25).',
  )
})

test('what a store says does not turn the direction of the words around it', () => {
  const page = html(view(HOSTILE))
  const lists = page.match(/<ul>.*?<\/ul>/gs)?.filter((list) => /Order|Checkout/.test(list)) ?? []
  expect(lists).toHaveLength(2)
  for (const list of lists) {
    expect(list).toContain('\u202e')
    expect(list.replaceAll(/<bdi>[^<]*<\/bdi>/g, '')).not.toContain('\u202e')
  }
})

test('what a store says is text, wherever it stands', () => {
  const page = html(view(HOSTILE, { aloneHref: () => '?purchase=x', address: 'https://a.example' }))
  expect(markupOf(page).filter((name) => /^(style|script|img|on\w+)$/.test(name))).toEqual([])
  expect(page).toContain('&lt;script>')
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(links.filter((href) => !/^(#|\?|https:)/.test(href!))).toEqual([])
  expect(links).not.toContain('/walks/other')
})
