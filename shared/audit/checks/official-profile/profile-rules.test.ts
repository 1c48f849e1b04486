import { describe, expect, test } from 'vitest'
import { ecKey, type Json, mutated, PROFILES } from '../../../manifest/ucp/testing/profiles.ts'
import { UCP } from '../../../protocols/ucp/versions.ts'
import type { Answer } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { Evidence } from '../../evidence.ts'
import { type Outcome, runRules } from '../../rule.ts'
import { scoreOf } from '../../score.ts'
import { CHECKS } from '../index.ts'

const RULES = Object.values(CHECKS).flat()

const answer = (body: string): Answer =>
  answerFrom('https://shop.example/.well-known/ucp', {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
    body,
  })

/** What is known of a store of which only the document was asked. */
const seen = (document: Json): Partial<Evidence> => {
  const fetched = answer(JSON.stringify(document))
  return {
    site: { domain: 'shop.example', label: 'shop', https: fetched, http: fetched },
    manifest: {
      fetched,
      json: { ok: true, value: document },
      www: { fetched: { kind: 'not_asked', reason: 'the domain has one' }, json: null },
    },
  }
}

const judge = (document: Json): Outcome[] => runRules(RULES, seen(document))
const verdictOf = (outcomes: readonly Outcome[], gap: string) =>
  outcomes.find(({ rule }) => rule.gap === gap)?.verdict
const gapsOf = (document: Json): string[] =>
  judge(document).flatMap(({ rule, verdict }) =>
    verdict.kind === 'gap' && rule.gap !== null ? [rule.gap] : [],
  )

const LATEST = PROFILES['2026-08-25']
const APRIL = PROFILES['2026-04-08']
const CAPABILITIES = 'ucp.capabilities'

describe('profiles that nothing is wrong with', () => {
  test.each<[string, Json]>([
    ['2026-08-25', LATEST],
    ['2026-04-08', APRIL],
    [
      'a handler of their own',
      mutated(LATEST, 'ucp.payment_handlers', {
        'com.own.pay': [{ id: 'own', version: '2020-01-01' }],
      }),
    ],
    [
      'a capability of a vendor',
      mutated(LATEST, `${CAPABILITIES}.[dev.shopify.catalog]`, [
        { version: '2026-04-08', schema: 'https://shopify.dev/a.json' },
      ]),
    ],
    [
      'a name that came later',
      mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.fee]`, [
        { version: '2026-08-25', schema: 'https://ucp.dev/2026-08-25/schemas/shopping/fee.json' },
      ]),
    ],
    [
      'payment before the cut',
      mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.payment_authentication]`, [
        {
          version: '2026-08-25',
          schema: 'https://ucp.dev/2026-08-25/schemas/shopping/payment_authentication.json',
          extends: 'dev.ucp.shopping.checkout',
        },
      ]),
    ],
    [
      'payment after the cut',
      mutated(LATEST, `${CAPABILITIES}.[dev.ucp.common.payment.authentication]`, [
        {
          version: '2026-08-25',
          schema: 'https://ucp.dev/2026-08-25/schemas/common/payment_authentication.json',
          extends: ['dev.ucp.shopping.checkout'],
        },
      ]),
    ],
    [
      'an older capability in 2026-04-08',
      mutated(APRIL, `${CAPABILITIES}.[dev.ucp.shopping.order].0.version`, '2026-01-23'),
    ],
    [
      'no orders and no keys',
      mutated(
        mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.order]`, undefined),
        'keys',
        undefined,
      ),
    ],
    ['a key to encrypt by, too', mutated(LATEST, 'keys.1', { ...ecKey, kid: 'k2', use: 'enc' })],
    ['keys for agents of both versions', { ...LATEST, signing_keys: LATEST.keys }],
  ])('%s', (_, document) => {
    expect(gapsOf(document)).toEqual([])
  })

  test('what is only in test mode is a note', () => {
    const handlers = {
      'com.own.pay': [{ id: 'own', version: '2020-01-01', config: { environment: 'TEST' } }],
    }
    expect(
      verdictOf(
        judge(mutated(LATEST, 'ucp.payment_handlers', handlers)),
        'ucp_payment_handlers_missing',
      ),
    ).toEqual({ kind: 'pass', note: expect.stringContaining('test mode') })
  })
})

/** What generators write that cannot leave a member out. */
function withNulls(document: Json): Json {
  const root = ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.order']
  const capabilities = root.reduce(
    (all, name) =>
      ['extends', 'config'].reduce(
        (one, member) => mutated(one, `${CAPABILITIES}.[${name}].0.${member}`, null),
        all,
      ),
    document,
  )
  return mutated(capabilities, 'ucp.supported_versions', null)
}

/** UCP's text had it for five days: the new form over the old version. */
const inNewForm = (version: string): Json =>
  JSON.parse(JSON.stringify(PROFILES['2026-01-23']).replaceAll('2026-01-23', version))

test.each<[string, Json, string[], RegExp]>([
  [
    'no handlers',
    mutated(LATEST, 'ucp.payment_handlers', {}),
    ['ucp_payment_handlers_missing'],
    /is empty/,
  ],
  [
    'null for what is left out',
    withNulls(LATEST),
    ['ucp_form_departs'],
    /capabilities.dev.ucp.shopping.checkout.0.extends: Must be .*is null/,
  ],
  [
    'the first version in the form of the second',
    inNewForm('2026-01-11'),
    ['ucp_form_departs', 'ucp_version_outdated'],
    /capabilities: Must be a list/,
  ],
  [
    'a misspelt name',
    mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.catalogue]`, [
      {
        version: '2026-08-25',
        schema: 'https://ucp.dev/2026-08-25/schemas/shopping/catalog_search.json',
      },
    ]),
    ['ucp_names_unknown'],
    /Did you mean "dev.ucp.shopping.catalog.search"/,
  ],
  [
    'another version',
    mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.order].0.version`, '2026-04-08'),
    ['ucp_parts_dropped'],
    /dev.ucp.shopping.order: .*version is "2026-04-08" in a profile of 2026-08-25/,
  ],
  [
    'one transport over http',
    mutated(LATEST, 'ucp.services.[dev.ucp.shopping].0.endpoint', 'http://shop.example/ucp'),
    ['ucp_parts_dropped'],
    /^dev.ucp.shopping over rest: .*Must be an https URL/,
  ],
  [
    'keys in the other field',
    { ...mutated(LATEST, 'keys', undefined), signing_keys: LATEST.keys },
    ['ucp_keys_unusable'],
    /stand in signing_keys, but agents of 2026-08-25 read keys/,
  ],
  [
    'keys for encryption alone',
    mutated(LATEST, 'keys.0.use', 'enc'),
    ['ucp_keys_unusable'],
    /None of the 1 keys/,
  ],
  [
    'orders without keys',
    mutated(LATEST, 'keys', undefined),
    ['ucp_webhook_keys_missing'],
    /has no key/,
  ],
  [
    'the first version',
    PROFILES['2026-01-11'],
    ['ucp_version_outdated'],
    /find no version in common/,
  ],
])('%s', (_, document, gaps, detail) => {
  const outcomes = judge(document)
  expect(gapsOf(document)).toEqual(gaps)
  expect(verdictOf(outcomes, gaps[0] ?? '')).toMatchObject({
    detail: expect.stringMatching(detail),
  })
})

test.each<[string, Json, RegExp]>([
  [
    'null for what must be there',
    mutated(withNulls(LATEST), 'ucp.services.[dev.ucp.shopping].0.endpoint', null),
    /services.dev.ucp.shopping.0.endpoint: Is missing/,
  ],
  [
    'null for a capability',
    mutated(LATEST, `${CAPABILITIES}.[dev.ucp.shopping.cart]`, null),
    /cart: Must be a list, is null/,
  ],
  [
    'the form of the second, and a name that is none',
    mutated(inNewForm('2026-01-11'), 'ucp.payment_handlers.[stripe]', []),
    /payment_handlers.stripe: Must be a reversed domain name/,
  ],
  [
    'a later version in the first form',
    { ucp: { ...PROFILES['2026-01-11'].ucp, version: '2026-01-23' } },
    /capabilities: Must be an object/,
  ],
])('what no agent can overlook stays wrong: %s', (_, document, detail) => {
  expect(verdictOf(judge(document), 'well_known_invalid')).toMatchObject({
    kind: 'gap',
    detail: expect.stringMatching(detail),
  })
})

const OVER_SHOPPABLE = RULES.find(({ gap }) => gap === 'ucp_not_shoppable')?.lostWith ?? []

describe('a document that agents refuse is no place to buy', () => {
  const REFUSED: [string, Json][] = [
    ['a version that is no date', mutated(LATEST, 'ucp.version', '1.0')],
    ['a draft', mutated(LATEST, 'ucp.version', 'draft')],
    ['a date on which nothing came out', mutated(LATEST, 'ucp.version', '2026-04-07')],
    ['a version that is no text', mutated(LATEST, 'ucp.version', 20260825)],
    ['no version', mutated(LATEST, 'ucp.version', undefined)],
    ['ucp that is no object', { ucp: '2026-08-25' }],
    ['ucp that is a list', { ucp: [] }],
    ['no envelope', { ...LATEST.ucp }],
    ['another version outside', { ...mutated(LATEST, 'ucp.version', 'x'), version: '2.0' }],
    ...UCP.all.flatMap((version): [string, Json][] => [
      [`no services, ${version}`, mutated(PROFILES[version], 'ucp.services', undefined)],
      [`nothing in it, ${version}`, { ucp: { version } }],
      [
        `a private key, ${version}`,
        mutated(
          PROFILES[version],
          version === '2026-08-25' ? 'keys.0.d' : 'signing_keys.0.d',
          'AA',
        ),
      ],
    ]),
  ]

  test.each(REFUSED)('%s', (_, document) => {
    const outcomes = judge(document)
    const open = outcomes.filter(({ verdict }) => verdict.kind === 'gap')
    const shop = verdictOf(outcomes, 'ucp_not_shoppable')
    // Open itself, or lost with a gap that is; without an envelope it is not taken for a profile.
    const isOpen = open.some(({ rule }) => rule.severity === 'critical')
    const isLost =
      shop?.kind === 'skip' &&
      open.some(({ rule }) => OVER_SHOPPABLE.some((each) => each === rule.gap))
    expect({ isOpen, isLost }).not.toEqual({ isOpen: false, isLost: false })
    expect(scoreOf(outcomes)?.score).toBeLessThan(60)
  })

  test('one that is newer than this code is only unknown, and says so', () => {
    const outcomes = judge(mutated(LATEST, 'ucp.version', '2031-01-01'))
    const open = outcomes.filter(({ verdict }) => verdict.kind === 'gap')
    expect(open.map(({ rule }) => rule.gap)).toEqual([])
    expect(verdictOf(outcomes, 'ucp_not_shoppable')).toEqual({
      kind: 'skip',
      reason:
        'the profile is of UCP 2031-01-01, which is newer than this version of Aisle knows (2026-08-25)',
    })
    expect(scoreOf(outcomes)?.cap?.reason).not.toBe('critical_gap')
  })
})
