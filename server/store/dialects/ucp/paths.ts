import { UCP_PATHS } from '../../../../shared/protocols/spec/ucp.ts'
import { UCP, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'

/** The addresses of a shop that speaks official UCP. */
export const OFFICIAL_PATHS = {
  profile: UCP_PATHS.manifest,
  mcp: '/ucp/mcp',
  rest: '/ucp/v1',
} as const

/** The profile of an older version. */
export const leafPath = (version: UcpVersion): string => `${OFFICIAL_PATHS.profile}/${version}`

/** The older versions, each with a profile of its own; the newest first. */
export const OLDER_VERSIONS = UCP.served.filter((version) => version !== UCP.newest).toReversed()

/** The services in the profile, and everything below them. */
export const isService = (path: string): boolean =>
  path === OFFICIAL_PATHS.mcp || path.startsWith(`${OFFICIAL_PATHS.rest}/`)
