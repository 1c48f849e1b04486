import { isNewerProfile } from '../../manifest/dialect.ts'
import type { ProfileInspection } from '../../manifest/ucp/profile.ts'
import { newerWords } from '../../manifest/ucp/version-outlook.ts'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { presenceOf } from '../../web/http/presence.ts'
import type { ManifestSeen } from '../evidence.ts'
import { seenProfile, spokenProfile } from '../seen-profile.ts'
import { type ItemSeen, missing, unseen } from './requirement.ts'

/** An official profile of a version that can be judged, or why there is none. */
export type ProfileSeen =
  | { profile: ProfileInspection; document: unknown; version: UcpVersion }
  | { absent: ItemSeen }

/** The official profile of the domain. */
export function readProfile(manifest: ManifestSeen): ProfileSeen {
  const presence = presenceOf(manifest.fetched)
  if (presence.is === 'unknown') return { absent: unseen(`${presence.why}.`) }
  if (presence.is !== 'present') return { absent: missing(`${presence.why}.`) }
  const document = spokenProfile(manifest)
  if (document === undefined) return { absent: missing('/.well-known/ucp is not JSON.') }
  const profile = seenProfile(manifest)
  if (UCP.isKnown(profile.dialect)) return { profile, document, version: profile.dialect }
  return {
    absent: isNewerProfile(document)
      ? unseen(`The profile is ${newerWords(document)}.`)
      : missing('What is at /.well-known/ucp is not a profile of official UCP.'),
  }
}
