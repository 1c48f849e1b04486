import { AMAZON } from './amazon.ts'
import { CARD_NETWORKS } from './card-networks.ts'
import {
  CHATGPT_BROWSER,
  CHATGPT_CHECKOUT,
  CHATGPT_EXTERNAL,
  CHATGPT_PLUGIN,
  CHATGPT_SEARCH,
} from './chatgpt.ts'
import { GOOGLE_CART } from './google-cart.ts'
import { GOOGLE_CHECKOUT } from './google-checkout.ts'
import { GOOGLE_LISTINGS } from './google-listings.ts'
import { MICROSOFT } from './microsoft.ts'
import { PERPLEXITY } from './perplexity.ts'
import type { Route } from './requirement.ts'
import { SHOP } from './shop.ts'

/** In the order in which they are shown; within a vendor the one with the least to build first. */
export const ROUTES: readonly Route[] = [
  CHATGPT_SEARCH,
  CHATGPT_BROWSER,
  CHATGPT_EXTERNAL,
  CHATGPT_PLUGIN,
  CHATGPT_CHECKOUT,
  GOOGLE_LISTINGS,
  GOOGLE_CART,
  GOOGLE_CHECKOUT,
  MICROSOFT,
  PERPLEXITY,
  SHOP,
  AMAZON,
  CARD_NETWORKS,
]
