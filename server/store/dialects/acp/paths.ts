const BASE = '/acp'

/**
 * Official ACP; the specification's own is at `/acp/checkout/…`. `sessions` stands for the five
 * operations; agents learn the address of `mcp` out of band.
 */
export const ACP_SERVICES = {
  base: BASE,
  sessions: `${BASE}/checkout_sessions`,
  carts: `${BASE}/carts`,
  mcp: `${BASE}/mcp`,
} as const

/** Whether a path belongs to official ACP. */
export const isAcpService = (path: string): boolean =>
  [ACP_SERVICES.sessions, ACP_SERVICES.carts, ACP_SERVICES.mcp].some(
    (service) => path === service || path.startsWith(`${service}/`),
  )
