import { hash } from 'node:crypto'
import { ACP, type AcpVersion } from '../../../../shared/protocols/acp/versions.ts'
import type { Snapshot } from '../../checkout/answers.ts'
import {
  type CheckoutContext,
  callerOf,
  isEmptyCredential,
  OpaqueId,
} from '../../checkout/caller.ts'
import { readCheckout } from '../../checkout/checkout.ts'
import { type IdempotentCall, idempotentCall } from '../../checkout/idempotency.ts'
import type { SessionCall } from '../../checkout/sessions.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { AcpFault } from './answers.ts'
import type { AcpSettings } from './settings.ts'
import { isSigned } from './signature.ts'

/**
 * The names that errors use: of headers over REST, of fields in `meta` over MCP (ACP, MCP binding).
 */
const NAMES = {
  rest: {
    version: 'API-Version',
    key: 'Idempotency-Key',
    signature: 'Signature',
    timestamp: 'Timestamp',
  },
  mcp: {
    version: 'meta.api_version',
    key: 'meta.idempotency_key',
    signature: 'meta.signature',
    timestamp: 'meta.timestamp',
  },
} as const

/** What a call says about its caller: in headers over REST, in `meta` over MCP. */
interface CallMeta {
  authorization: string | undefined
  version: string | undefined
  key: string | undefined
  signature: string | undefined
  timestamp: string | undefined
}

/** An agent that may call, and the version that it uses. */
export interface AcpCaller {
  /** The hash of its credential: its sessions and keys are its own. */
  platform: string
  version: AcpVersion
  /** Null if it sent none. */
  key: string | null
}

/** What an operation demands of its call in addition to a credential and a version. */
export interface Demands {
  transport: keyof typeof NAMES
  /** Over REST every POST has a key, in versions that demand one; over MCP it is optional. */
  needsKey: boolean
  versions?: readonly AcpVersion[]
}

/** Reads the caller, or the error for the call (ACP, HTTP headers). */
export function readAcpCaller(
  meta: CallMeta,
  body: unknown,
  { transport, needsKey, versions = ACP.served }: Demands,
  { keys, signingKeys }: AcpSettings,
  now: Date,
): AcpCaller | { fault: AcpFault } {
  const names = NAMES[transport]
  // Unspecified: the version is checked first, so that a caller with another one learns which
  // versions there are.
  const { version } = meta
  if (version === undefined || !ACP.isServed(version) || !versions.includes(version)) {
    const supported_versions = versions.toReversed()
    const code = version === undefined ? 'missing_api_version' : 'unsupported_api_version'
    const message = `Send ${names.version} with one of these values: ${supported_versions.join(', ')}.`
    return { fault: { status: 400, code, message, supported_versions } }
  }
  const token = /^bearer +(\S+) *$/i.exec(meta.authorization ?? '')?.[1]
  const isNobody = token === undefined || isEmptyCredential(meta.authorization)
  if (isNobody || (keys !== null && !isOneOf(token, keys))) {
    return {
      fault: {
        status: 401,
        code: 'unauthorized',
        message: 'Send Authorization: Bearer with the key that this shop gave you.',
        headers: { 'www-authenticate': 'Bearer' },
      },
    }
  }
  if (signingKeys.length > 0 && !isSigned({ ...meta, body }, signingKeys, now)) {
    const message = `Sign the canonical JSON of the body with your secret (HMAC-SHA256, base64url) in ${names.signature}, and send the time of signing in ${names.timestamp}, which may be five minutes off.`
    return { fault: { status: 401, code: 'invalid_signature', message } }
  }
  const { key } = meta
  const isMissing =
    key === undefined ? needsKey && ACP.of(version).needsKey : !OpaqueId.safeParse(key).success
  if (isMissing) {
    const message = `Send ${names.key}: a new string of 1 to 255 characters for each operation.`
    return { fault: { status: 400, code: 'idempotency_key_required', message } }
  }
  return { platform: platformOfKey(token), version, key: key ?? null }
}

/** The agent that calls with this key. */
export const platformOfKey = (key: string): string => callerOf({ authorization: `Bearer ${key}` })

/** Hashes are compared, so that the time it takes reveals nothing about a key. */
function isOneOf(token: string, keys: readonly string[]): boolean {
  const hashed = hash('sha256', token)
  return keys.filter((key) => hash('sha256', key) === hashed).length > 0
}

export interface AcpContext extends CheckoutContext {
  settings: AcpSettings
}

/** One call of an operation, its caller known. */
export interface AcpCall {
  caller: AcpCaller
  /** The requested host. */
  host: string
  /** Empty for create. */
  id: string
  /** The raw body. */
  body: unknown
}

/**
 * The call under its key; null without one. Unspecified: a call that is refused before it has any
 * effect leaves its idempotency key free for the corrected one.
 */
export const keyedAcpCall = (
  { caller, body }: AcpCall,
  operation: string,
): IdempotentCall | null =>
  caller.key === null
    ? null
    : idempotentCall(`${OFFICIAL_ACP}:${operation}:${caller.platform}`, caller.key, body)

/**
 * A call about a session. Unspecified: a session belongs to the credential that opened it, at the
 * host where it did; for others it does not exist.
 */
export const aboutSession = (
  { id, host, caller }: AcpCall,
  keyed: IdempotentCall | null,
): SessionCall => ({
  protocol: OFFICIAL_ACP,
  id,
  keyed,
  isTheirs: (session) => session.host === host && session.official.platform === caller.platform,
})

export const ownSession = ({ deps }: AcpContext, call: AcpCall): Promise<Snapshot | null> =>
  readCheckout(deps, aboutSession(call, null))
