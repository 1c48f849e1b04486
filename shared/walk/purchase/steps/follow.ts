import { type Good, itemOf, productName } from '../../goods.ts'
import { type HandedOver, judgeArrival, KEPT_OUT } from '../../hand-over/judge-arrival.ts'
import { isOver, type Session } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { judgeLinkedPage } from '../judging/judge-page.ts'
import { readPageText, withExcerpt } from '../judging/page-text.ts'
import { currencyOf, type PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** Follows the link on which the buyer would go on, while there is something to go on with. */
export async function followLink(state: PurchaseState): Promise<void> {
  const { session, cart, store } = state
  const shown = session ?? cart
  if (shown === null || shown.continue_url === null || isOver(shown.phase)) return
  const { continue_url: url } = shown
  const title = 'Follows the link on which the buyer goes on'
  await takeStep(state, 'page', title, (notes) =>
    follow(state, { url, shown, field: store.dialect.fields.continue_url }, notes),
  )
}

/** Follows the link of a cart with which the store takes the buyer over: there has to be one. */
export async function followHandOver(state: PurchaseState): Promise<void> {
  const { cart, store } = state
  if (cart === null) return
  const { continue_url: url } = cart
  const field = store.dialect.fields.continue_url
  await takeStep(state, 'page', 'Follows the link on which the buyer pays', async (notes) => {
    if (url === null) {
      const found = 'The cart has no continue_url, and the store offers agents no checkout.'
      notes.fail('leads_the_buyer_on', found, { field })
      return
    }
    notes.hold('leads_the_buyer_on')
    await follow(state, { url, shown: cart, field }, notes)
  })
}

/** Follows the store's own link to a basket with the goods of the purchase. */
export async function followPermalink(state: PurchaseState): Promise<void> {
  const { goods, store } = state
  const { permalink } = store.dialect
  if (permalink === undefined) return
  const url = `${permalink}/${goods.map((good) => `${tokenOf(itemOf(good))}:1`).join(',')}`
  const field = 'ucp.capabilities.dev.ucp.shopping.permalink[].config.endpoint'
  await takeStep(state, 'page', 'Follows a link that fills a basket', (notes) =>
    follow(state, { url, shown: null, field }, notes),
  )
}

/** Opens the page that the catalog or the feed links to; only a browser shows what is on it. */
export async function openProductPage(state: PurchaseState): Promise<void> {
  const { goods, deps } = state
  const [good] = goods
  const url = URL.parse(good?.page ?? '')?.href
  if (deps.arrive === undefined || good === undefined || url === undefined) return
  await takeStep(state, 'find', 'Opens the page that the list links to', (notes) =>
    arrive(state, { url, ...handedOver(state, null, [good]), field: 'url' }, notes),
  )
}

/** What a link has to lead to: a session's goods as it shows them, else as they are listed. */
function handedOver(
  state: PurchaseState,
  shown: Session | null,
  goods: readonly Good[] = state.goods,
): Pick<HandedOver, 'lines' | 'sums'> {
  const currency = shown?.currency?.toUpperCase() ?? currencyOf(state)
  const money = (amount: number | null | undefined) =>
    amount == null ? null : { amount, currency }
  return {
    lines: goods.map((good) => {
      const line = shown?.lines?.find(({ item }) => item === itemOf(good))
      return {
        good,
        title: line?.title ?? null,
        quantity: line?.quantity ?? 1,
        price: money(line?.price) ?? good.price,
      }
    }),
    sums: [shown?.subtotal, shown?.total].flatMap((amount) => money(amount) ?? []),
  }
}

// Unspecified: links are opened with what assistants add to them, so that a store that loses it on
// the way is seen. The store is not to blame: its server may have kept it, which cannot be seen.
const VISIT = { name: 'utm_source', value: 'aisle-walk' } as const

/** Opens a link in a fresh browser, and looks for what was chosen. */
async function arrive(
  { deps, store }: PurchaseState,
  { url, field, ...taken }: Pick<HandedOver, 'lines' | 'sums'> & { url: string; field: string },
  notes: StepNotes,
): Promise<void> {
  if (deps.arrive === undefined || deps.isOver()) return
  const link = new URL(url)
  link.searchParams.set(VISIT.name, VISIT.value)
  const opened = await deps.arrive(link.href)
  if ('unseen' in opened) {
    notes.conclude(`It was not seen in a browser: ${opened.unseen}`)
    if (opened.isOurs) notes.opened({ picture: null, unseen: opened.unseen })
    return
  }
  if (opened.tree === null) return notes.fail('arrives_whole', opened.elsewhere, { field })
  const { tree, elsewhere, picture } = opened
  const isVisit = URL.parse(tree.url)?.searchParams.get(VISIT.name) === VISIT.value
  const kept = isVisit ? 'still has' : 'no longer has'
  notes.conclude(
    `A fresh browser ends at ${withoutVisit(tree.url)}, which ${kept} the ${VISIT.name} of the visit.`,
    field,
  )
  notes.opened({ picture, unseen: null })
  if (elsewhere !== null) return notes.fail('arrives_whole', elsewhere, { field })
  const arrival = judgeArrival(tree, { ...taken, listed: store.goods })
  if (arrival.is === 'unseen')
    notes.conclude(`What a buyer finds there is not known: ${arrival.why}`)
  else if (arrival.is === 'lost') {
    // What was read without scripts may have failed already: then it is what a buyer sees of it.
    if (notes.failed !== null) notes.conclude(arrival.found)
    notes.fail('arrives_whole', arrival.found, { field })
  } else {
    for (const note of arrival.notes) notes.conclude(note)
    notes.hold('arrives_whole')
  }
}

function withoutVisit(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  url.searchParams.delete(VISIT.name)
  return url.href
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** UCP, Permalink: an id as it is, or in base64url after a tilde. */
function tokenOf(id: string): string {
  if (/^[\w.-]+$/.test(id)) return id
  const bytes = encodeURIComponent(id.toWellFormed()).match(/%..|./g) ?? []
  const bits = bytes
    .map((byte) => (byte.length > 1 ? Number.parseInt(byte.slice(1), 16) : byte.charCodeAt(0)))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const digits = bits.match(/.{1,6}/g) ?? []
  return `~${digits.map((six) => DIGITS.charAt(Number.parseInt(six.padEnd(6, '0'), 2))).join('')}`
}

/** Reads the page of a link as the server sends it, and opens it in a browser if there is one. */
async function follow(
  state: PurchaseState,
  { url, shown, field }: { url: string; shown: Session | null; field: string },
  notes: StepNotes,
): Promise<void> {
  const taken = handedOver(state, shown)
  const isOurs = await readPage(state, { url, field, ...taken }, notes)
  if (isOurs) await arrive(state, { url, field, ...taken }, notes)
}

/** Whether the link leads to the store, as far as it can be seen. */
async function readPage(
  { deps, goods, store }: PurchaseState,
  { url, field, ...taken }: Pick<HandedOver, 'lines' | 'sums'> & { url: string; field: string },
  notes: StepNotes,
): Promise<boolean> {
  if (deps.visit === null) return true
  const { exchanges, failure, status, text, url: ended } = await deps.visit(url)
  const titles = taken.lines.flatMap(({ title }) => title ?? [])
  const words = goods.flatMap((good) => [good.name, itemOf(good), productName(good)])
  notes.exchanged(exchanges.map((exchange) => withExcerpt(exchange, [...titles, ...words])))
  const wrong = (found: string) => notes.fail('link_leads_on', found, { field })
  if (failure?.is === 'elsewhere') {
    wrong(failure.why)
    return false
  }
  if (failure !== null || KEPT_OUT.includes(status)) {
    notes.conclude(`Where the link leads is not known: ${failure?.why ?? `it answered ${status}.`}`)
    return true
  }
  if (status !== 200) {
    wrong(`The link answers ${status}.`)
    return true
  }
  const page = { page: readPageText(text), html: text, url: ended }
  const verdict = judgeLinkedPage(page, { ...taken, listed: store.goods })
  if (verdict.is === 'wrong') wrong(verdict.said)
  else {
    if (verdict.said !== null) notes.conclude(verdict.said, field)
    if (verdict.is === 'right') notes.hold('link_leads_on')
  }
  return true
}
