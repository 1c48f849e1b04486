import { html, type Overrides, type Reply } from '../http/store-request.ts'
import { deadPage, type StoreFault, unjudgedFault } from './fault.ts'
import { below, withHeader } from './overrides.ts'

const page = (main: string): Reply =>
  html(`<!doctype html><html lang="en"><title>Shop</title><main>${main}</main>`)

const text = (from: RegExp, to: string) => (reply: Reply) => ({
  ...reply,
  body: reply.body.replace(from, to),
})

/** What becomes of the page on which a buyer goes on. */
const PAGES: Readonly<Record<string, (right: Reply) => Reply>> = {
  dead: deadPage,
  'log-in': () =>
    page(
      '<h1>Log in</h1><form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Log in</button></form>',
    ),
  empty: () => page('<h1>Your basket is empty</h1><a href="/">To the shop</a>'),
  // Only in a browser: who reads the page finds the goods.
  'other-shop': (right) => withHeader('refresh', '0; url=https://another-store.example/')(right),
  'other-goods': text(/(<th scope="row">\d+ × )[^<]*/g, '$1Another Thing'),
  'other-variant': text(/(<th scope="row">\d+ × [^<]*), S\b/g, '$1, M'),
  'other-quantity': text(/(<th scope="row">)\d+ ×/g, '$13 ×'),
  'other-price': text(/(\d+)\.(\d\d USD)/g, '1$1.$2'),
  'other-currency': text(/(\d\.\d\d) USD/g, '$1 CAD'),
}

const PERMALINK = /^\/permalink\//

/** A link that fills a basket forgets who has sent the buyer. */
const forgetful: Overrides = {
  reply: (reply, { path }) => {
    const { location } = reply.headers
    if (!PERMALINK.test(path) || location === undefined) return reply
    return withHeader('location', location.replace(/\?.*/, ''))(reply)
  },
}

/**
 * How a buyer does not find what an agent has chosen, after the link of a checkout, a cart or a
 * permalink: `ucp-hand-over-empty`. Only a browser sees all of them, so that no audit has a gap.
 */
export const HAND_OVER_FAULTS: readonly StoreFault[] = [
  ...Object.entries(PAGES).map(([how, change]) =>
    unjudgedFault(`ucp-hand-over-${how}`, { reply: below('/checkout/', '', change) }),
  ),
  unjudgedFault('ucp-hand-over-visit-lost', forgetful),
]
