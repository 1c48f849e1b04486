import { isRecord } from '../../web/json/json.ts'
import { SURFACE_ID } from '../surfaces.ts'

/**
 * What proves who called:
 * - `signature`: the agent's own, by a key of its operator's directory or of Visa
 * - `platform`: that of the platform that buys over UCP
 * - `address`: its operator publishes it for the agent that the User-Agent names
 */
const PROOFS = ['signature', 'platform', 'address'] as const

/** Whose agent called, as far as that is proved. */
export interface Verified {
  by: (typeof PROOFS)[number]
  /** `other_ai`: an agent, and none of a listed surface. */
  surface: string
}

/** The property of a stored event that says it. */
export const VERIFIED_PROPERTY = 'agent_verified'

/** What is stored of it; null if nothing is. */
export function readVerified(stored: unknown): Verified | null {
  if (!isRecord(stored)) return null
  const { by: proof, surface } = stored
  const by = PROOFS.find((each) => each === proof)
  const isSurface = typeof surface === 'string' && SURFACE_ID.test(surface)
  return by !== undefined && isSurface ? { by, surface } : null
}
