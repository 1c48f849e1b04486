import { UCP_PATHS } from '../../../../shared/protocols/ucp.ts'

/** The addresses of a shop that speaks official UCP. */
export const OFFICIAL_PATHS = {
  profile: UCP_PATHS.manifest,
  /** The profile of the version before. */
  leaf: `${UCP_PATHS.manifest}/2026-04-08`,
  mcp: '/ucp/mcp',
  rest: '/ucp/v1',
} as const

/** The services in the profile, and everything below them. */
export const isService = (path: string): boolean =>
  path === OFFICIAL_PATHS.mcp || path.startsWith(`${OFFICIAL_PATHS.rest}/`)
