/** Where official UCP has its operations below the endpoint of REST (UCP, REST binding). */
export const UCP_REST_PATHS = {
  create: '/checkout-sessions',
  read: '/checkout-sessions/:id',
  update: '/checkout-sessions/:id',
  complete: '/checkout-sessions/:id/complete',
  cancel: '/checkout-sessions/:id/cancel',
  order: '/orders/:id',
  createCart: '/carts',
  readCart: '/carts/:id',
  updateCart: '/carts/:id',
  cancelCart: '/carts/:id/cancel',
} as const

/** The tools of official UCP over MCP, named after their operations. */
export const UCP_TOOLS = {
  create: 'create_checkout',
  read: 'get_checkout',
  update: 'update_checkout',
  complete: 'complete_checkout',
  cancel: 'cancel_checkout',
  order: 'get_order',
  createCart: 'create_cart',
  readCart: 'get_cart',
  updateCart: 'update_cart',
  cancelCart: 'cancel_cart',
} as const
