import { inspectAny, type ProfileInspection } from '../manifest/ucp/profile.ts'
import { olderProfileOf } from '../manifest/ucp/version-outlook.ts'
import { jsonOf } from '../web/http/presence.ts'
import { field } from '../web/json/json.ts'
import type { ManifestSeen } from './evidence.ts'

/**
 * The document that agents of today go by: what is at `/.well-known/ucp`, or the profile of a known
 * version that a newer one leads to. Agents must not use one that is of another version than it was
 * named for (UCP overview, Initial Service and Capability Discovery).
 */
export function spokenProfile(manifest: ManifestSeen): unknown {
  const document = jsonOf(manifest)
  const older = manifest.older && jsonOf(manifest.older)
  const version = field(field(older, 'ucp'), 'version')
  return version !== undefined && version === olderProfileOf(document)?.version ? older : document
}

const known = new WeakMap<ManifestSeen, ProfileInspection>()

/**
 * `spokenProfile`, inspected without regard to its owner. Inspected once for all rules: a profile
 * may have 256 KiB.
 */
export function seenProfile(manifest: ManifestSeen): ProfileInspection {
  const inspection = known.get(manifest) ?? inspectAny(spokenProfile(manifest))
  known.set(manifest, inspection)
  return inspection
}
