/** Official UCP's names for what the store can do; profiles list them. */
export const CHECKOUT = 'dev.ucp.shopping.checkout'
export const FULFILLMENT = 'dev.ucp.shopping.fulfillment'
export const SEARCH = 'dev.ucp.shopping.catalog.search'
export const LOOKUP = 'dev.ucp.shopping.catalog.lookup'
export const CART = 'dev.ucp.shopping.cart'
export const ORDER = 'dev.ucp.shopping.order'
export const PERMALINK = 'dev.ucp.shopping.permalink'
/** The bank's challenge as an Action. */
export const AUTHENTICATION = 'dev.ucp.common.payment.authentication'
