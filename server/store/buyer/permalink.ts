import { hash, randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import { surfaceIdOf } from '../../../shared/attribution/events.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { storableText } from '../../../shared/web/json/json.ts'
import { readRightFields } from '../checkout/address.ts'
import { callOutcomeOf } from '../checkout/answers.ts'
import type { CheckoutContext } from '../checkout/caller.ts'
import { createCheckout } from '../checkout/checkout.ts'
import { alpha2Of } from '../checkout/country.ts'
import { OFFICIAL_UCP } from '../db/statuses.ts'
import type { PartialAddress } from '../db/tables.ts'
import type { Reply, StoreRequest } from '../http/store-request.ts'
import { pagePath } from '../shop/assortment.ts'
import { type Inventory, inventoryOfIds, itemOfId } from '../shop/inventory.ts'
import type { HandOrder } from '../shop/pages/product.ts'
import { BUYER_PATHS, checkoutPath } from './addresses.ts'
import { readItems, type WantedItem, WHOLE_NUMBER } from './permalink-items.ts'
import { privatePage, seeOther } from './private-page.ts'

/** A link to items, as somebody opened it. */
interface Permalink {
  /** The raw text after the endpoint: `ao-1101:2,~YQ:1`. */
  items: string
  query: URLSearchParams
  /** Who is counted: the network of the client. */
  network: string
}

/**
 * Official UCP, permalink: opens a checkout of these items for the buyer, and leads to its page. It
 * never orders. A link that cannot be opened leads to a page that says why. Unspecified: a
 * permalink opens a checkout session, which is counted by the client's network, because the store
 * has no other cart that a browser could keep. The rest of its query is dropped, because the
 * checkout page has no use for it, but for what tells a visit apart: it is read from the address of
 * the page on which a buyer arrives. The page of a product gets what `handOrderOf` reads.
 */
export async function permalinkReply(
  request: StoreRequest,
  { deps, count }: CheckoutContext,
  { items, query, network }: Permalink,
): Promise<Reply> {
  const fields = fieldsOf(query)
  const wanted = readItems(items)
  // Unspecified: `continue_to` only counts if no checkout can be opened. Otherwise the buyer would
  // not find the checkout again.
  const elsewhere = safePath(fields.get('/continue_to'), request.origin)
  const sorry = (why: Trouble) => seeOther(elsewhere ?? `${BUYER_PATHS.permalink}?sorry=${why}`)
  if (wanted === null) return sorry('unreadable')
  if (wanted.length === 0) return seeOther(elsewhere ?? '/')
  const inventory = await inventoryOfIds(
    deps.db,
    wanted.map(({ id }) => id),
  )
  const answer = await createCheckout(deps, count, {
    protocol: OFFICIAL_UCP,
    host: request.host,
    // An unknown buyer: no agent may list the resulting orders.
    buyer: hash('sha256', randomUUID()),
    counted: `permalink:${hash('sha256', network)}`,
    keyed: null,
    items: wanted.map(({ id, quantity }) => itemOfId(inventory, id, quantity)),
    address: addressOf(fields),
    attribution: attributionOf(fields),
    dryRun: false,
    official: {
      state: { version: UCP.newest, platform: 'permalink', webhook_url: null, shown: {} },
      shippingOptionId: null,
    },
  })
  const outcome = callOutcomeOf(answer)
  if ('checkout_id' in outcome)
    return seeOther(checkoutPath({ id: outcome.checkout_id }) + visitOf(query))
  const code = 'refused' in outcome ? outcome.refused.code : 'invalid'
  if (code === 'variant_required') return seeOther(elsewhere ?? choiceOf(wanted, inventory, fields))
  if (code === 'out_of_stock' || code === 'too_many_items') return sorry(code)
  return sorry(code === 'rate_limited' ? 'too_often' : 'unknown')
}

/** Of a campaign, as assistants name themselves in links: `?utm_source=chatgpt.com`. */
function visitOf(query: URLSearchParams): string {
  const kept = [...query].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name))
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
}

const TROUBLES = {
  unreadable: 'This link is not complete. Please ask for a new one, or look around in the shop.',
  unknown: 'The shop does not have what this link leads to any more. Please choose something else.',
  out_of_stock:
    'There is not enough in stock of what this link leads to. Please choose something else.',
  too_many_items: 'This link asks for more than fits into one order. Please choose less of it.',
  too_often: 'Too many checkouts were opened from your network. Please try again in an hour.',
} as const
type Trouble = keyof typeof TROUBLES

/** `GET /permalink?sorry=…`: why a link could not be followed. Null for any other query. */
export function sorryPage(request: StoreRequest, query: URLSearchParams): Reply | null {
  const why = query.get('sorry')
  const found = Object.entries(TROUBLES).find(([trouble]) => trouble === why)
  if (found === undefined) return null
  return privatePage(request, {
    title: 'This link could not be opened',
    status: 404,
    main: html`<h1>This link could not be opened</h1><p>${found[1]}</p><p><a href="/">To the shop</a></p>`,
  })
}

/**
 * The page of the first product for which the link does not name a variant, with its quantity and
 * the query that `keptOf` keeps. Unspecified: the other items of the link have to be ordered
 * separately, because the page is about one product.
 */
function choiceOf(
  wanted: readonly WantedItem[],
  inventory: Inventory,
  fields: ReadonlyMap<string, string>,
): string {
  for (const { id, quantity } of wanted) {
    const found = inventory.findOffer(id)
    if (!found || found.offer) continue
    const query = new URLSearchParams({ quantity: String(quantity), ...keptOf(fields) })
    return `${pagePath(found.article)}?${query}`
  }
  return '/'
}

/**
 * How the variants on a product's page are ordered: by permalinks, with the query for `choiceOf`.
 */
export function handOrderOf(query: URLSearchParams): HandOrder {
  const fields = fieldsOf(query)
  const said = fields.get('/quantity') ?? ''
  const isToChoose = WHOLE_NUMBER.test(said)
  const quantity = isToChoose ? Number(said) : 1
  const kept = String(new URLSearchParams(keptOf(fields)))
  return {
    pathOf: ({ id }) =>
      `${BUYER_PATHS.permalink}/${id}:${quantity}${kept === '' ? '' : `?${kept}`}`,
    quantity,
    isToChoose,
  }
}

/**
 * The query that a product's page passes on. Not the buyer's data: unlike a checkout's, that page
 * is cached and seen by analytics.
 */
const keptOf = (fields: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...fields]
      .filter(([name]) => /^\/(?:context|attribution)\//.test(name))
      .map(([name, value]) => [name.slice(1), value]),
  )

/** The parameters by their JSON Pointers. A repeated one is ambiguous, and left out. */
function fieldsOf(query: URLSearchParams): ReadonlyMap<string, string> {
  const named = Map.groupBy(query, ([name]) => (name.startsWith('/') ? name : `/${name}`))
  return new Map(
    [...named].flatMap(([name, same]) =>
      same.length === 1 ? same.map(([, value]) => [name, storableText(value)] as const) : [],
    ),
  )
}

/** The buyer's data, as far as an address can be made of it; wrong fields are left out. */
function addressOf(fields: ReadonlyMap<string, string>): PartialAddress {
  const name = [fields.get('/buyer/first_name'), fields.get('/buyer/last_name')]
  const said = {
    name: name.filter(Boolean).join(' '),
    state: fields.get('/context/address_region') ?? '',
    zip: fields.get('/context/postal_code') ?? '',
    country: alpha2Of((fields.get('/context/address_country') ?? '').trim()),
  }
  const given = Object.fromEntries(Object.entries(said).filter(([, text]) => text.trim() !== ''))
  return readRightFields(given).address
}

function attributionOf(fields: ReadonlyMap<string, string>): Record<string, string> | null {
  const ai_surface = surfaceIdOf(fields.get('/attribution/utm_source'))
  return ai_surface === null ? null : { ai_surface }
}

/**
 * A path of this shop, canonical; null for any other text (permalink, "Destination Preference").
 */
export function safePath(text: string | undefined, origin: string): string | null {
  if (text === undefined || !/^\/(?!\/)/.test(text) || /[\\\s\p{Cc}]|:\/\//u.test(text)) return null
  const url = URL.parse(text, origin)
  return url?.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : null
}
