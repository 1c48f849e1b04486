import {
  ACP,
  type AcpVersion,
  isServedAcp,
  SERVED_ACP,
} from '../../../../shared/protocols/acp/versions.ts'

/** The versions that the store answers in and that have carts and MCP. */
export const WITH_CARTS = SERVED_ACP.filter((version) => ACP.of(version).hasDiscovery)

/** The stored version of a session or an order, always one of those that the store answers in. */
export const keptVersion = (text: string | undefined): AcpVersion =>
  isServedAcp(text) ? text : ACP.newest
