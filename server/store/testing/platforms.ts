import type { PlatformProfiles } from '../dialects/ucp/negotiation/platform-profiles.ts'
import { capabilitiesOf } from '../dialects/ucp/profile.ts'

const CAPABILITIES = capabilitiesOf('2026-08-25')

/** Platforms that all have this profile. */
export const platformsWith = (
  version = '2026-08-25',
  capabilities: unknown = CAPABILITIES,
): PlatformProfiles => ({
  find: async () => ({ profile: { ucp: { version, capabilities } } }),
})
