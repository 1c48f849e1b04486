import { DIRECTORY_PATH, DIRECTORY_TYPE } from '../../../../protocols/web-bot-auth.ts'
import { describeFetch } from '../../../../web/http/fetched.ts'
import { contentType, jsonOf, presenceOf } from '../../../../web/http/presence.ts'
import { field, isRecord, shown } from '../../../../web/json/json.ts'
import type { AccessSeen, Evidence, SignatureSeen } from '../../../evidence.ts'
import { gap, notLookedAt, pass, type Rule, rule, skip, type Verdict } from '../../../rule.ts'
import { isPage, outcomeOf } from '../access/compare.ts'
import { asksForSignature, isLetIn, isShut } from './compare.ts'
import { howToLetIn } from './edges.ts'

const DRAFT = 'Web Bot Auth, draft-ietf-webbotauth-httpsig-protocol-01'

const UNSIGNED = 'our requests were not signed'

/** What a store answers to signed requests, and what it publishes for its own. */
export const signedRules: readonly Rule[] = [
  rule({
    id: 'signed_agents_refused',
    lostWith: ['ucp_not_shoppable', 'ucp_endpoint_unreachable'],
    check: 'well_known',
    tool: null,
    authority: DRAFT,
    reads: ['site', 'productPages', 'ucp', 'access'],
    audit: judgeRefusal,
  }),
  rule({
    id: 'ucp_signature_not_asked_for',
    lostWith: ['signed_agents_refused'],
    dialect: 'official',
    check: 'well_known',
    tool: null,
    authority: `RFC 9421, 5.1; ${DRAFT}, Requesting a Message Signature`,
    reads: ['ucp'],
    audit: judgeAsking,
  }),
  rule({
    id: 'signature_directory_unusable',
    lostWith: ['https_missing'],
    check: 'well_known',
    tool: null,
    authority: `${DRAFT}, Directory Format`,
    reads: ['signatureDirectory'],
    audit: judgeDirectory,
  }),
]

/** Each request that was made with our signature and without. */
export const comparedIn = ({
  site,
  productPages = [],
  ucp,
}: Partial<Pick<Evidence, 'site' | 'ucp'>> & {
  productPages?: readonly Pick<Evidence['productPages'][number], 'signature'>[]
}): SignatureSeen[] =>
  [site?.signature, productPages[0]?.signature, ucp?.rest?.signature, ucp?.mcp?.signature].filter(
    (each) => each !== undefined,
  )

/** Pages that a browser gets and our signed request does not. */
const keptFrom = ({ pages }: AccessSeen) =>
  pages.flatMap(({ url, browsers, signed }) =>
    signed !== undefined && browsers.every(isPage) && !isPage(signed) ? [{ url, signed }] : [],
  )

function judgeRefusal({
  access,
  ...seen
}: Pick<Evidence, 'site' | 'productPages' | 'ucp' | 'access'>): Verdict {
  const compared = comparedIn(seen)
  const shut = compared.find(({ signed, unsigned }) => isShut(signed) && isLetIn(unsigned))
  if (shut !== undefined) {
    const { signed, unsigned, as } = shut
    return gap(
      `${describeFetch(signed)} when it was signed as ${as}, and without a signature ${describeFetch(unsigned)}. ${howToLetIn(signed)}`.trim(),
    )
  }
  const [page] = keptFrom(access).filter(({ signed }) =>
    ['refused', 'challenged'].includes(outcomeOf(signed).is),
  )
  if (page !== undefined) {
    const { fetched } = page.signed
    return gap(
      `A browser gets ${page.url}, and ${describeFetch(fetched)} when it was signed. ${howToLetIn(fetched)}`.trim(),
    )
  }
  const isSeen = compared.length > 0 || access.pages.some(({ signed }) => signed !== undefined)
  return isSeen ? pass() : notLookedAt(UNSIGNED)
}

function judgeAsking({ ucp }: Pick<Evidence, 'ucp'>): Verdict {
  const compared = comparedIn({ ucp })
  const opened = compared.filter(({ signed, unsigned }) => isShut(unsigned) && isLetIn(signed))
  const silent = opened.find(({ unsigned }) => !asksForSignature(unsigned))
  if (silent !== undefined) {
    return gap(
      `${describeFetch(silent.unsigned)} without a signature, and says nothing of one: neither Accept-Signature, nor WWW-Authenticate, nor its text. Signed as ${silent.as} it is open.`,
    )
  }
  if (compared.length === 0) return notLookedAt(UNSIGNED)
  return opened.length > 0 ? pass() : notLookedAt('the checkout wants no signature')
}

/** Members of a public key by its kind, and the private one. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  OKP: ['crv', 'x'],
  EC: ['crv', 'x', 'y'],
  RSA: ['n', 'e'],
}
const PRIVATE = ['d', 'p', 'q', 'k']

function judgeDirectory({ signatureDirectory }: Pick<Evidence, 'signatureDirectory'>): Verdict {
  const presence = presenceOf(signatureDirectory.fetched)
  // Most stores send no signed requests, and need none.
  if (presence.is === 'absent') return notLookedAt(`there is no ${DIRECTORY_PATH}`)
  if (presence.is === 'requires_auth')
    return gap(`${presence.why}, so that no verifier can read it.`)
  if (presence.is !== 'present') return skip(presence.why)
  const fetched = presence.answer
  const type = contentType(fetched)
  const document = jsonOf(signatureDirectory)
  const keys = field(document, 'keys')
  // Shops answer unknown addresses with a page.
  if (type === 'text/html' && !isRecord(document)) return notLookedAt(`${DIRECTORY_PATH} is a page`)
  if (fetched.redirects.length > 0) {
    return gap(`${fetched.url} leads to ${fetched.final_url}, and verifiers follow no redirect.`)
  }
  if (!Array.isArray(keys) || keys.length === 0) {
    return gap(`${fetched.url} has no list of keys: "keys" is ${shown(keys)}.`)
  }
  for (const [n, key] of keys.slice(0, 100).entries()) {
    const wrong = faultOfKey(key)
    if (wrong !== null) return gap(`keys[${n}] of ${fetched.url} ${wrong}.`)
  }
  return type === DIRECTORY_TYPE
    ? pass()
    : gap(
        `${fetched.url} is sent as ${shown(fetched.headers['content-type'])}, not "${DIRECTORY_TYPE}".`,
      )
}

/** What makes a key useless to a verifier, as a part of a sentence; null: nothing that shows. */
function faultOfKey(key: unknown): string | null {
  const members = KINDS[String(field(key, 'kty'))]
  if (members === undefined) return `has kty ${shown(field(key, 'kty'))}, not OKP, EC or RSA`
  const missing = members.find((name) => typeof field(key, name) !== 'string')
  if (missing !== undefined) return `lacks ${missing}`
  if (PRIVATE.some((name) => field(key, name) !== undefined)) {
    return 'shows its private part: replace it'
  }
  const ended = Number(field(key, 'exp'))
  return field(key, 'use') !== undefined && field(key, 'use') !== 'sig'
    ? `has use ${shown(field(key, 'use'))}, not "sig"`
    : ended > 0 && field(key, 'nbf') !== undefined && ended <= Number(field(key, 'nbf'))
      ? 'ends before it begins'
      : null
}
