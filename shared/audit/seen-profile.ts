import { inspectAny, type ProfileInspection } from '../manifest/ucp/profile.ts'
import { jsonOf } from '../web/presence.ts'
import type { ManifestSeen } from './evidence.ts'

const known = new WeakMap<ManifestSeen, ProfileInspection>()

/**
 * What is at `/.well-known/ucp` of the domain, inspected as it stands, whoever's it is. Inspected
 * once for all rules: a profile may have 256 KiB.
 */
export function seenProfile(manifest: ManifestSeen): ProfileInspection {
  const inspection = known.get(manifest) ?? inspectAny(jsonOf(manifest))
  known.set(manifest, inspection)
  return inspection
}
