import { LIMITS } from '../../../../markup/budget.ts'
import { walkHtml } from '../../../../markup/html/elements.ts'
import { type Page, readPage } from '../../../../markup/page.ts'
import { allOffers, mainProduct, type ProductMarkup } from '../../../../markup/products.ts'
import { challengeInHeaders, challengeInHtml } from '../../../../web/http/presence.ts'
import type { AccessContent } from '../../../evidence.ts'
import { type AnswerBody, challengeOf } from './challenge.ts'

/** As much of a title or a name as a finding quotes. */
const MAX_QUOTE = 80

/** A product has few prices at a time; more are not needed to tell two pages apart. */
const MAX_PRICES = 20

/** What an answer shows. Linear in the HTML, like the readers of pages. */
export function readAccessContent(answer: AnswerBody): AccessContent {
  const { html, url, truncated, bytes } = answer
  const page = readPage(html, url, { isWhole: !truncated, readsChoices: false })
  const product = mainProduct(page)
  const text = visibleCharacters(html)
  const content = {
    bytes,
    title: quoted(page.title),
    text,
    product: product === null ? null : quoted(product.name ?? ''),
    prices: product === null ? sharedPrices(page) : pricesOf(product),
  }
  return { ...content, challenge: challengeOf(answer, content) }
}

/**
 * Whose bot challenge stands in place of a page; null for a page. A CAPTCHA by itself does not
 * tell: it may be a form's, on a page that only scripts fill.
 */
export function challengeOnPage(
  { headers, html }: Pick<AnswerBody, 'headers' | 'html'>,
  page: Page,
): string | null {
  const vendor = challengeInHeaders(headers) ?? challengeInHtml(html)
  if (vendor === null) return null
  const product = mainProduct(page)?.name ?? null
  return challengeOf({ headers, html }, { text: visibleCharacters(html), product })
}

/** Every price of a product and its variants, each once, in an order of their own. */
const pricesOf = (product: ProductMarkup): string[] =>
  sorted(
    allOffers(product).flatMap(({ price, currency }) =>
      price === null ? [] : [`${price} ${currency ?? ''}`.trim()],
    ),
  )

/** Open Graph's price, of a page without markup. */
const sharedPrices = ({ meta }: Page): string[] =>
  sorted(meta.flatMap(({ key, content }) => (key === 'product:price:amount' ? [content] : [])))

const sorted = (prices: readonly string[]): string[] =>
  [...new Set(prices.map((price) => price.slice(0, MAX_QUOTE)))].toSorted().slice(0, MAX_PRICES)

const quoted = (text: string | null): string | null => text?.slice(0, MAX_QUOTE) ?? null

function visibleCharacters(html: string): number {
  let count = 0
  walkHtml(html.slice(0, LIMITS.characters), {
    start: () => undefined,
    end: () => undefined,
    text: (characters) => {
      count += characters.replace(/\s+/g, '').length
    },
  })
  return count
}
