/**
 * The tools of official ACP over MCP, named after their operations (ACP, MCP binding, Conformance
 * 2).
 */
export const ACP_TOOLS = {
  create: 'create_checkout_session',
  read: 'get_checkout_session',
  update: 'update_checkout_session',
  complete: 'complete_checkout_session',
  cancel: 'cancel_checkout_session',
} as const

/** Where official ACP's operations are below `api_base_url` (ACP 2026-04-17, Agentic Checkout). */
export const OFFICIAL_ACP_PATHS = {
  create: '/checkout_sessions',
  read: '/checkout_sessions/:id',
  update: '/checkout_sessions/:id',
  complete: '/checkout_sessions/:id/complete',
  cancel: '/checkout_sessions/:id/cancel',
  carts: '/carts',
  cart: '/carts/:id',
  cancelCart: '/carts/:id/cancel',
} as const
