import {
  isSignatureError,
  SignatureErrorCode,
  type Verifier,
  verifySignature,
} from 'http-message-sig'
import { isInnerList, parseDictionary } from 'structured-headers'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { type Jwk, thumbprintOf, verifierOf } from '../jwk.ts'
import { descriptorOf, matchesDigest, type SeenRequest } from '../message.ts'
import { LONGEST_HEADER, MOST_SIGNATURES } from '../verify.ts'
import { rsaVerifierOf } from './rsa.ts'
import { type Component, signerOf } from './signature-agent.ts'

/** Why a signature of an agent proves nothing, and what to do about it. */
export const AGENT_REFUSALS = {
  half_signed: 'Send both Signature and Signature-Input.',
  malformed: `Send Signature-Input and Signature as RFC 9421 has them, with at most ${MOST_SIGNATURES} signatures.`,
  label_repeated: 'A label stands twice in Signature or Signature-Input. Send each once.',
  tag_unknown: 'No signature has the tag web-bot-auth, agent-browser-auth or agent-payer-auth.',
  parameter_missing: 'Send created, expires and keyid with the signature, and for TAP a nonce.',
  component_missing:
    'Cover @authority and, by its key, Signature-Agent; for TAP @authority and @path.',
  component_unsupported: 'A covered component is absent, or cannot be verified here.',
  signature_agent_malformed:
    'Send Signature-Agent with the https origin of your key directory, such as sig1="https://signer.example".',
  signature_agent_unsupported: 'Publish the key in a directory: other types are not read.',
  not_yet_valid: 'The signature was created in the future. Check the clock.',
  expired: 'The signature has expired. Sign each request anew.',
  valid_too_long: 'The signature is valid for too long: at most a day, for TAP eight minutes.',
  directory_unreachable: 'The key directory could not be read. Serve it with 200 over https.',
  directory_malformed: 'The key directory is not a JSON object with "keys".',
  directory_busy: 'Too many key directories are being read at the moment. Try again later.',
  key_unknown: 'Publish the key that keyid names, its JWK thumbprint, in the directory.',
  key_expired: 'The key is not valid on this day by its nbf and exp.',
  algorithm_unsupported: 'Sign with Ed25519, ECDSA P-256 or RSA-PSS with SHA-512.',
  digest_mismatch: 'Content-Digest is not the SHA-256 of the body as it arrived.',
  signature_invalid:
    'The signature does not match the request: another host, path or header was signed.',
  replayed: 'The nonce was used before, for something else. Sign each request anew.',
} as const
type AgentRefusalName = keyof typeof AGENT_REFUSALS

/** Who signed a request. */
export interface SignedAgent {
  /** Whose rules the signature keeps to. */
  scheme: 'web_bot_auth' | 'visa_tap'
  /** The origin that publishes the key: `https://signer.example`. */
  signer: string
  kid: string
  nonce?: string
  /** Components that are covered in full. */
  covered: ReadonlySet<unknown>
}

export type AgentVerdict =
  | ({ outcome: 'verified' } & SignedAgent)
  | { outcome: 'unsigned' }
  | { outcome: 'refused'; reason: AgentRefusalName }

/** The keys at an address, or why there are none. */
export type KeysAt =
  | { keys: readonly Jwk[] }
  | { problem: 'directory_unreachable' | 'directory_malformed' | 'directory_busy' }

export interface VerifyAgentOptions {
  now: Date
  /**
   * The keys that are published at an address. `missing` is a keyid that is not among those that
   * were returned before.
   */
  keysAt: (url: string, missing?: string) => Promise<KeysAt>
  /** Remembers a nonce; false if it was used for something else. Without it no replay is seen. */
  useNonce?: (nonce: { signer: string; nonce: string; until: Date }) => Promise<boolean>
  /** How long a Web Bot Auth signature may be valid, in milliseconds. A day unless given. */
  longestMs?: number
}

const DIRECTORY = '/.well-known/http-message-signatures-directory'

/** Where Visa publishes the keys of the agents that it has approved (TAP, Public Keys). */
const VISA = 'https://mcp.visa.com'
const VISA_KEYS = `${VISA}/.well-known/jwks`

interface Scheme {
  name: SignedAgent['scheme']
  /** At least one of each. */
  components: readonly (readonly string[])[]
  parameters: readonly string[]
  longestMs: number
}

const WEB_BOT_AUTH: Scheme = {
  name: 'web_bot_auth',
  components: [['@authority', '@target-uri'], ['signature-agent']],
  parameters: ['created', 'expires', 'keyid'],
  // Unspecified: the draft recommends a day at most, and here it is the limit.
  longestMs: DAY_MS,
}
const VISA_TAP: Scheme = {
  name: 'visa_tap',
  components: [['@authority'], ['@path']],
  parameters: ['created', 'expires', 'keyid', 'nonce'],
  longestMs: 8 * 60_000,
}

const SCHEMES: ReadonlyMap<unknown, Scheme> = new Map([
  ['web-bot-auth', WEB_BOT_AUTH],
  ['agent-browser-auth', VISA_TAP],
  ['agent-payer-auth', VISA_TAP],
])

/** How far clocks may be apart. Signatures of agents are valid for minutes. */
const SKEW_MS = 60_000

/** The reason for refusing one signature. */
class Refused extends Error {
  readonly reason: AgentRefusalName

  constructor(reason: AgentRefusalName) {
    super(AGENT_REFUSALS[reason])
    this.reason = reason
  }
}

/** A signature's part of Signature-Input. */
interface Candidate {
  label: string
  scheme: Scheme
  components: readonly Component[]
  parameters: ReadonlyMap<string, unknown>
}

/**
 * Who has signed a request, by Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol-01) or by
 * Visa's Trusted Agent Protocol. Of several signatures one valid one is enough; else the first
 * refusal is told. Rejects only if `keysAt` or `useNonce` does, never because of the request.
 */
export async function verifyAgent(
  request: SeenRequest,
  options: VerifyAgentOptions,
): Promise<AgentVerdict> {
  const input = request.headers.get('signature-input')
  const signature = request.headers.get('signature')
  if (input === null && signature === null) return { outcome: 'unsigned' }
  if (!input || !signature) return { outcome: 'refused', reason: 'half_signed' }
  const candidates = candidatesOf(input, signature)
  if (candidates === null) return { outcome: 'refused', reason: 'malformed' }
  let first: AgentVerdict | undefined
  for (const candidate of candidates) {
    try {
      return { outcome: 'verified', ...(await verifyCandidate(request, candidate, options)) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      first ??= { outcome: 'refused', reason: error.reason }
    }
  }
  return first ?? { outcome: 'refused', reason: 'tag_unknown' }
}

/** The signatures of agents among those of a request; null if they cannot be read. */
function candidatesOf(input: string, signature: string): Candidate[] | null {
  if (input.length + signature.length > LONGEST_HEADER) return null
  try {
    const inputs = parseDictionary(input)
    if (inputs.size > MOST_SIGNATURES) return null
    return [...inputs].flatMap(([label, member]) => {
      if (!isInnerList(member)) return []
      const [components, parameters] = member
      const scheme = SCHEMES.get(parameters.get('tag'))
      return scheme === undefined ? [] : [{ label, scheme, components, parameters }]
    })
  } catch {
    return null
  }
}

async function verifyCandidate(
  request: SeenRequest,
  candidate: Candidate,
  options: VerifyAgentOptions,
): Promise<SignedAgent> {
  const { label, scheme, components, parameters } = candidate
  const isThere = (name: string) => components.some(([each]) => each === name)
  if (!scheme.components.every((names) => names.some(isThere))) {
    throw new Refused('component_missing')
  }
  const { keyid, expires } = readParameters(candidate, options)
  const { signer, keysUrl } = whereKeysAre(request, candidate)
  const jwk = await findKey(keysUrl, keyid, options)
  if (!isValidOn(jwk, options.now)) throw new Refused('key_expired')
  const verifier = verifierOf(jwk) ?? rsaVerifierOf(jwk)
  const claimed = parameters.get('alg')
  // Visa's examples write it as `Ed25519`.
  const isOfKey =
    verifier !== null &&
    (claimed === undefined || String(claimed).toLowerCase() === verifier.algorithm)
  if (!isOfKey) throw new Refused('algorithm_unsupported')
  const algorithm = claimed === undefined ? verifier.algorithm : String(claimed)
  const digest = request.headers.get('content-digest')
  if (request.body !== null && digest !== null && !matchesDigest(digest, request.body)) {
    throw new Refused('digest_mismatch')
  }
  await checkSignature(request, label, { ...verifier, algorithm }, options.now)
  const nonce = parameters.get('nonce')
  if (typeof nonce === 'string' && options.useNonce !== undefined) {
    const until = new Date(expires + SKEW_MS)
    if (!(await options.useNonce({ signer, nonce, until }))) throw new Refused('replayed')
  }
  const whole = components.filter(
    ([name, its]) => its.size === 0 || (name === 'signature-agent' && its.size === 1),
  )
  return {
    ...{ scheme: scheme.name, signer, kid: keyid },
    ...(typeof nonce === 'string' && { nonce }),
    covered: new Set(whole.map(([name]) => name)),
  }
}

/** The key's name and the end of the signature, in milliseconds. Throws what is wrong with them. */
function readParameters(
  { scheme, parameters }: Candidate,
  { now, longestMs = scheme.longestMs }: VerifyAgentOptions,
): { keyid: string; expires: number } {
  if (!scheme.parameters.every((name) => parameters.has(name))) {
    throw new Refused('parameter_missing')
  }
  const [created, expires] = ['created', 'expires'].map((name) => {
    const seconds = parameters.get(name)
    return typeof seconds === 'number' ? seconds * 1000 : Number.NaN
  })
  const keyid = parameters.get('keyid')
  if (typeof keyid !== 'string' || created === undefined || expires === undefined) {
    throw new Refused('malformed')
  }
  if (!(expires > created)) throw new Refused(expires <= created ? 'expired' : 'malformed')
  if (created > now.getTime() + SKEW_MS) throw new Refused('not_yet_valid')
  if (expires < now.getTime() - SKEW_MS) throw new Refused('expired')
  if (expires - created > longestMs) throw new Refused('valid_too_long')
  return { keyid, expires }
}

/** Who publishes the key, and where. Throws what is wrong with Signature-Agent. */
function whereKeysAre(
  { headers }: SeenRequest,
  { label, scheme, components }: Candidate,
): { signer: string; keysUrl: string } {
  if (scheme === VISA_TAP) return { signer: VISA, keysUrl: VISA_KEYS }
  const named = signerOf(headers.get('signature-agent'), label, components)
  if ('origin' in named) return { signer: named.origin, keysUrl: named.origin + DIRECTORY }
  throw new Refused(
    named.problem === 'uncovered' ? 'component_missing' : `signature_agent_${named.problem}`,
  )
}

/**
 * The key that a signature names, among those of its signer alone: the same key elsewhere is
 * another agent's. A key that is missing may be new, so it is asked for once more.
 */
async function findKey(
  url: string,
  keyid: string,
  { keysAt }: Pick<VerifyAgentOptions, 'keysAt'>,
): Promise<Jwk> {
  for (const missing of [undefined, keyid]) {
    const found = await keysAt(url, missing)
    if ('problem' in found) throw new Refused(found.problem)
    // Visa names its keys; a directory names each by its thumbprint.
    const key = found.keys.find(
      (each) => thumbprintOf(each) === keyid || (url === VISA_KEYS && each.kid === keyid),
    )
    if (key !== undefined) return key
  }
  throw new Refused('key_unknown')
}

/** Whether a key is valid at a time by its `nbf` and `exp`, which are seconds. */
const isValidOn = ({ nbf, exp }: Jwk, now: Date): boolean =>
  !(typeof nbf === 'number' && nbf * 1000 > now.getTime() + SKEW_MS) &&
  !(typeof exp === 'number' && exp * 1000 < now.getTime() - SKEW_MS)

async function checkSignature(
  request: SeenRequest,
  label: string,
  verifier: Verifier,
  now: Date,
): Promise<void> {
  try {
    await verifySignature(descriptorOf(request), {
      label,
      policy: {
        algorithms: [verifier.algorithm],
        requiredComponents: [],
        requiredParameters: [],
        clockSkew: SKEW_MS / 1000,
        now: Math.floor(now.getTime() / 1000),
      },
      resolveVerifier: () => verifier,
    })
  } catch (error) {
    throw new Refused(reasonOf(error))
  }
}

/** The reason behind an error of the library: all of them are caused by the request. */
function reasonOf(error: unknown): AgentRefusalName {
  if (!isSignatureError(error)) return 'signature_invalid'
  switch (error.code) {
    case SignatureErrorCode.DuplicateLabel:
      return 'label_repeated'
    case SignatureErrorCode.MalformedField:
    case SignatureErrorCode.LabelMismatch:
    case SignatureErrorCode.DuplicateComponent:
      return 'malformed'
    case SignatureErrorCode.MissingField:
    case SignatureErrorCode.InvalidComponent:
    case SignatureErrorCode.UnsupportedFeature:
      return 'component_unsupported'
    default:
      return 'signature_invalid'
  }
}
