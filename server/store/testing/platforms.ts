import {
  AGENT_VERSIONS,
  agentProfile,
  agentProfilePath,
  BY_MANDATE,
} from '../../../shared/manifest/ucp/agent-profile.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { TEST_KEYS } from '../../signatures/testing/test-signer.ts'
import {
  PlatformProfile,
  type PlatformProfiles,
} from '../dialects/ucp/negotiation/platform-profiles.ts'
import { capabilitiesOf } from '../dialects/ucp/profile/profile.ts'

const CAPABILITIES = capabilitiesOf(UCP.newest)

/** The audit as a platform: the version of its profile is in the address that it names. */
export const auditPlatforms: PlatformProfiles = {
  find: async (url) => {
    const [path = '', query] = url.split('?')
    const version = AGENT_VERSIONS.find((each) => path.endsWith(agentProfilePath(each)))
    const byMandate = query === BY_MANDATE
    const profile = agentProfile(version ?? UCP.newest, TEST_KEYS, { byMandate })
    return { profile: PlatformProfile.parse(profile) }
  },
}

/** Platforms that all have this profile. */
export const platformsWith = (
  version: string = UCP.newest,
  capabilities: unknown = CAPABILITIES,
): PlatformProfiles => ({
  find: async () => ({ profile: { ucp: { version, capabilities } } }),
})
