import { isNamedIn, itemOf } from '../../goods.ts'
import { isOver } from '../../session.ts'
import type { StepNotes } from '../../step-notes.ts'
import { readPageText, withExcerpt } from '../judging/page-text.ts'
import type { PurchaseState } from '../state.ts'
import { takeStep } from '../take-step.ts'

/** Follows the link on which the buyer would go on, while there is something to go on with. */
export async function followLink(state: PurchaseState): Promise<void> {
  const { session, cart, store } = state
  const shown = session ?? cart
  if (shown === null || shown.continue_url === null || isOver(shown.phase)) return
  const { continue_url: url } = shown
  const names = (shown.lines ?? []).flatMap(({ title }) => title ?? [])
  const title = 'Follows the link on which the buyer goes on'
  await takeStep(state, 'page', title, (notes) =>
    follow(state, { url, names, field: store.dialect.fields.continue_url }, notes),
  )
}

/** Follows the store's own link to a basket with the goods of the purchase. */
export async function followPermalink(state: PurchaseState): Promise<void> {
  const { goods, store } = state
  const { permalink } = store.dialect
  if (permalink === undefined) return
  const url = `${permalink}/${goods.map((good) => `${tokenOf(itemOf(good))}:1`).join(',')}`
  const field = 'ucp.capabilities.dev.ucp.shopping.permalink[].config.endpoint'
  await takeStep(state, 'page', 'Follows a link that fills a basket', (notes) =>
    follow(state, { url, names: [], field }, notes),
  )
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

/** Refusals of us, and not of the buyer: a firewall, a limit. */
const KEPT_OUT: readonly number[] = [401, 403, 429]

async function follow(
  { deps, goods }: PurchaseState,
  { url, names, field }: { url: string; names: readonly string[]; field: string },
  notes: StepNotes,
): Promise<void> {
  if (deps.visit === null) return
  const { exchanges, failure, status, text } = await deps.visit(url)
  const words = [...names, ...goods.flatMap((good) => [good.name, itemOf(good)])]
  notes.exchanged(exchanges.map((exchange) => withExcerpt(exchange, words)))
  const wrong = (found: string) => notes.fail('link_leads_on', found, { field })
  if (failure?.is === 'elsewhere') return wrong(failure.why)
  if (failure !== null || KEPT_OUT.includes(status)) {
    notes.conclude(`Where the link leads is not known: ${failure?.why ?? `it answered ${status}.`}`)
    return
  }
  if (status !== 200) return wrong(`The link answers ${status}.`)
  const page = readPageText(text)
  const shown = `${page.title} ${page.text}`
  // An id, or a name in an attribute, stands in no text that a person reads.
  const missing = goods.find((good) => !isNamedIn(shown, good, names) && !isNamedIn(text, good))
  if (missing === undefined) notes.hold('link_leads_on')
  else if (page.hasScripts) {
    // What scripts add to a page is seen in a browser alone.
    notes.conclude(`The page does not name ${missing.name} before its scripts run.`, field)
  } else wrong(`The page does not name ${missing.name}.`)
}
