/** The versions of official ACP that the store answers in, oldest first. */
export const ACP_VERSIONS = ['2026-01-30', '2026-04-17'] as const
export type AcpVersion = (typeof ACP_VERSIONS)[number]

/** Carts, MCP and the discovery document came with this version. */
export const NEWEST: AcpVersion = '2026-04-17'

export const isAcpVersion = (text: string): text is AcpVersion =>
  ACP_VERSIONS.some((version) => version === text)

/** The stored version of a session or an order, always one of these. */
export const keptVersion = (text: string | undefined): AcpVersion =>
  text !== undefined && isAcpVersion(text) ? text : NEWEST
