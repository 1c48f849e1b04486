import { UCP_PATHS } from '../../../../shared/protocols/ucp.ts'

/** Where a shop that speaks official UCP is asked. */
export const OFFICIAL_PATHS = {
  profile: UCP_PATHS.manifest,
  /** The profile of the version before. */
  leaf: `${UCP_PATHS.manifest}/2026-04-08`,
  mcp: '/ucp/mcp',
  rest: '/ucp/v1',
} as const

/** The services that the profile names, and all that lies below them. */
export const isService = (path: string): boolean =>
  path === OFFICIAL_PATHS.mcp || path.startsWith(`${OFFICIAL_PATHS.rest}/`)
