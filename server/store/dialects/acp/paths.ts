const BASE = '/acp'

/**
 * Official ACP, beside the specification's own at `/acp/checkout/…`. `sessions` stands for the five
 * operations; the address of `mcp` is told to agents out of band.
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
