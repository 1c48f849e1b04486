import {
  AGENT_VERSIONS,
  agentProfile,
  agentProfilePath,
} from '../../../shared/manifest/ucp/agent-profile.ts'
import {
  PlatformProfile,
  type PlatformProfiles,
} from '../dialects/ucp/negotiation/platform-profiles.ts'
import { capabilitiesOf } from '../dialects/ucp/profile/profile.ts'

const CAPABILITIES = capabilitiesOf('2026-08-25')

/** The audit as a platform: the version of its profile is in the address that it names. */
export const auditPlatforms: PlatformProfiles = {
  find: async (url) => {
    const version = AGENT_VERSIONS.find((each) => url.endsWith(agentProfilePath(each)))
    return { profile: PlatformProfile.parse(agentProfile(version ?? '2026-08-25')) }
  },
}

/** Platforms that all have this profile. */
export const platformsWith = (
  version = '2026-08-25',
  capabilities: unknown = CAPABILITIES,
): PlatformProfiles => ({
  find: async () => ({ profile: { ucp: { version, capabilities } } }),
})
