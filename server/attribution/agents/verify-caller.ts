import { parseDictionary } from 'structured-headers'
import {
  surfaceOfAgent,
  surfaceOfPlatform,
  surfaceOfSigner,
} from '../../../shared/attribution/classify/classify.ts'
import type { Verified } from '../../../shared/attribution/classify/verified.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { DAY_MS, dayOf } from '../../../shared/web/moment.ts'
import type { Directories } from '../../signatures/agents/directories.ts'
import {
  AGENT_REFUSALS,
  type SignedAgent,
  type VerifyAgentOptions,
  verifyAgent,
} from '../../signatures/agents/verify-agent.ts'
import type { SeenRequest } from '../../signatures/message.ts'
import { verifyMessage } from '../../signatures/verify.ts'
import { type AddressClaim, type AddressVerdict, namesListed } from './verify-address.ts'

/** A request of what may be an agent, as a server received it. */
export interface SeenCall {
  request: SeenRequest
  /** Where it came from, where that is known. It is not kept. */
  address: string | null
  at: Date
  /** What the call is of, such as a session: its signature counts for that alone. */
  usedFor: string
  /** Who makes us read key directories: a client's network, or a key of the API. */
  asker: string | null
}

/** Whose agent called, as far as that is proved, and why a signature proves nothing. */
export interface ProvedCaller {
  verified: Verified | null
  refusal: string | null
}

interface CallerDeps {
  directories: Directories
  useNonce: (
    nonce: Parameters<NonNullable<VerifyAgentOptions['useNonce']>>[0],
    usedFor: string,
  ) => Promise<boolean>
  verifyAddress: (claim: AddressClaim) => Promise<AddressVerdict>
}

/** Whether a call has anything that could be verified; nearly all have not. */
export const isVerifiable = ({ headers }: SeenRequest): boolean =>
  isSigned(headers) || namesListed(headers.get('user-agent') ?? '')

const isSigned = (headers: Headers): boolean =>
  headers.has('signature') || headers.has('signature-input')

/**
 * Verifies whose agent called: by its signature, by that of the platform that buys over UCP, or by
 * its address. Rejects only if the database does.
 */
export async function verifyCaller(call: SeenCall, deps: CallerDeps): Promise<ProvedCaller> {
  const { request, address, at } = call
  const signed = isSigned(request.headers) ? await verifySigned(call, deps) : NOTHING
  if (signed.verified !== null || address === null) return signed
  const userAgent = request.headers.get('user-agent') ?? ''
  const verdict = await deps.verifyAddress({ userAgent, address, day: dayOf(at.getTime()) })
  const surface = verdict.outcome === 'verified' ? surfaceOfAgent(verdict.token) : null
  return surface === null ? signed : { ...signed, verified: { by: 'address', surface } }
}

const NOTHING: ProvedCaller = { verified: null, refusal: null }

async function verifySigned(call: SeenCall, deps: CallerDeps): Promise<ProvedCaller> {
  const { request, at, asker, usedFor } = call
  const verdict = await verifyAgent(request, {
    now: at,
    keysAt: (url, missing) => deps.directories.keysAt(url, asker, missing),
    // Of signers on no list nothing follows, so that they fill no memory either.
    useNonce: async (nonce) =>
      surfaceSigned(nonce.signer) === null || deps.useNonce(nonce, usedFor),
  })
  if (verdict.outcome === 'verified') {
    const surface = surfaceSigned(verdict.signer)
    return surface === null ? NOTHING : { verified: { by: 'signature', surface }, refusal: null }
  }
  const platform = profileOf(request)
  if (verdict.outcome === 'refused' && platform !== null && verdict.reason === 'tag_unknown') {
    return verifyPlatform(call, platform, deps)
  }
  return {
    verified: null,
    refusal: verdict.outcome === 'refused' ? AGENT_REFUSALS[verdict.reason] : null,
  }
}

// Unspecified: agents for which Visa vouches are AI, and Visa does not say whose. Other signers
// that are on no list, such as monitors, do not prove AI.
const surfaceSigned = (signer: SignedAgent['signer']): string | null =>
  signer === VISA ? OTHER_AI : surfaceOfSigner(URL.parse(signer)?.hostname ?? '')

const VISA = 'https://mcp.visa.com'

/** The signature of the platform that buys, by the keys of its profile (UCP, signatures.md). */
async function verifyPlatform(
  { request, at, asker }: SeenCall,
  profile: URL,
  { directories }: CallerDeps,
): Promise<ProvedCaller> {
  const verdict = await verifyMessage(request, {
    now: at,
    maxAgeMs: DAY_MS,
    keys: async () => {
      const found = await directories.keysAt(profile.href, asker)
      return 'keys' in found ? found.keys : null
    },
  })
  if (verdict.outcome === 'signed') {
    const surface = surfaceOfPlatform(profile.hostname) ?? OTHER_AI
    return { verified: { by: 'platform', surface }, refusal: null }
  }
  return { verified: null, refusal: verdict.outcome === 'refused' ? verdict.content : null }
}

/** The profile that UCP-Agent names, over https. */
function profileOf({ headers }: SeenRequest): URL | null {
  try {
    const [named] = parseDictionary(headers.get('ucp-agent') ?? '').get('profile') ?? []
    const url = typeof named === 'string' ? URL.parse(named) : null
    return url?.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}
