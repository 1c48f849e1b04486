import { isRecord } from '../../../../../shared/web/json.ts'
import type { Jwk } from '../../../signatures/jwk.ts'
import type { ReadAgentKeys } from '../verify-signatures.ts'
import type { PlatformProfiles } from './platform-profiles.ts'

/**
 * The keys that a platform's profile publishes, unread: `keys` since 2026-08-25, `signing_keys`
 * before.
 */
export const keysOfPlatforms =
  (platforms: PlatformProfiles): ReadAgentKeys =>
  async (profileUrl) => {
    const found = await platforms.find(profileUrl)
    if ('refusal' in found) return null
    const { keys, signing_keys } = found.profile
    return [keys, signing_keys].flatMap((list): Jwk[] =>
      Array.isArray(list) ? list.filter(isRecord) : [],
    )
  }
