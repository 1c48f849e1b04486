import { isSameAmount, readPriceText } from '../../commerce/price-text.ts'
import { toMajor } from '../../commerce/product.ts'
import { field, isRecord } from '../../web/json/json.ts'
import { plain } from '../goods.ts'
import { schemaFaults } from '../tool-schemas.ts'
import type { ToolFinding, ToolFindingId } from './findings.ts'
import type { CalledTool, ReadTool } from './page-answers.ts'
import type { PageFacts } from './page-facts.ts'
import { pageJson } from './page-json.ts'

const find = (id: ToolFindingId, tool: string, detail: string): ToolFinding => ({
  id,
  tool,
  detail,
})

/** What tools say of themselves, before one is called. */
export function judgeListed(tools: readonly ReadTool[]): ToolFinding[] {
  const known = new Set<string>()
  return tools.flatMap(({ name, description, schema }) => {
    const found: ToolFinding[] = []
    if (known.has(name)) found.push(find('name_repeated', name, 'Agents cannot tell them apart.'))
    known.add(name)
    if (description.trim() === '') {
      found.push(find('description_missing', name, 'Its description is empty.'))
    }
    const inputSchema = pageJson(schema ?? '')
    if (!isRecord(inputSchema)) {
      const detail = 'It has no inputSchema, so that an agent has to guess what to send.'
      return [...found, find('schema_missing', name, detail)]
    }
    const faults = schemaFaults([{ name, inputSchema }])
    return [
      ...found,
      ...faults.map(({ found: said, field: at }) =>
        find('schema_misshapen', name, `${said} (${at})`),
      ),
    ]
  })
}

/** What became of a call of a tool that says to change nothing. */
export function judgeCall(call: CalledTool, facts: PageFacts): ToolFinding[] {
  const { name, answer, failed, before, after } = call
  const found: ToolFinding[] = []
  const changed = changeIn(before, after)
  if (changed !== null) found.push(find('changes_silently', name, changed))
  if (answer === null) {
    return [...found, find('call_fails', name, `Called with ${call.input}: ${failed}`)]
  }
  const said = answerOf(answer)
  if (said === null) {
    const detail = `It answered ${JSON.stringify(answer.slice(0, 120))}.`
    return [...found, find('answer_unreadable', name, detail)]
  }
  if (isError(answer)) {
    const detail = `Called with ${call.input}, it answers an error: ${answer.slice(0, 200)}`
    return [...found, find('call_fails', name, detail)]
  }
  return [...found, ...judgePrices(name, said, facts)]
}

/** The second is what Chromium says of a tool that answers nothing. */
const NOTHING = /^(?:null|Operation succeeded)?$/

/** The value of an answer: of MCP's form what it holds, as value or as text. */
export function answerOf(answer: string): unknown {
  const value = pageJson(answer)
  if (value === '' || NOTHING.test(answer.trim())) return null
  // Text for a model is an answer as well.
  if (value === null) return { text: answer }
  const structured = field(value, 'structuredContent')
  if (structured !== undefined) return structured
  const content = field(value, 'content')
  if (!Array.isArray(content)) return value
  const texts = content.flatMap((part) => {
    const text = field(part, 'text')
    return typeof text === 'string' ? [pageJson(text) ?? { text }] : []
  })
  return texts.length === 0 ? null : texts
}

const isError = (answer: string): boolean => field(pageJson(answer), 'isError') === true

function changeIn(before: CalledTool['before'], after: CalledTool['after']): string | null {
  if (before.url !== after.url) return `The page went from ${before.url} to ${after.url}.`
  const excerpt = (text: string) => JSON.stringify(text.slice(0, 120))
  if (before.basketLink !== after.basketLink) {
    return `The link to the basket was ${excerpt(before.basketLink)}, and is ${excerpt(after.basketLink)}.`
  }
  if (before.basket !== after.basket && before.basket !== '' && after.basket !== '') {
    return `The basket was ${excerpt(before.basket)}, and is ${excerpt(after.basket)}.`
  }
  return before.stored === after.stored ? null : 'What the page keeps of a basket has changed.'
}

interface SaidPrice {
  decimals: readonly string[]
  currency: string | null
  text: string
}

const MAX_DEPTH = 10
const PRICE = /^(?:price|min|max|amount|sale_?price|current_?price|unit_?price)$/i

/** The prices in what an answer says of the page's product. */
function pricesOf(value: unknown, depth = 0): SaidPrice[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((each) => pricesOf(each, depth + 1))
  if (!isRecord(value)) return []
  const { amount, currency } = value
  if (typeof amount === 'number' && typeof currency === 'string') {
    // UCP writes the smallest unit; others write decimals.
    const money = { amount, currency: currency.toUpperCase() }
    const minor = Number.isSafeInteger(amount) && /^[A-Z]{3}$/.test(money.currency)
    const decimals = [...(minor ? [toMajor(money)] : []), String(amount)]
    return [{ decimals, currency: money.currency, text: `${decimals[0]} ${money.currency}` }]
  }
  const beside = field(value, 'currency') ?? field(value, 'priceCurrency')
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!PRICE.test(key) || !(typeof inner === 'string' || typeof inner === 'number')) {
      return pricesOf(inner, depth + 1)
    }
    const read = readPriceText(String(inner))
    const said = typeof beside === 'string' ? beside.toUpperCase() : read.currency
    return read.decimals.length === 0
      ? []
      : [{ decimals: read.decimals, currency: said, text: `${inner}${said ? ` ${said}` : ''}` }]
  })
}

/** The innermost things of an answer with the name or an id of the product. */
function aboutProduct(value: unknown, { name, ids }: PageFacts, depth = 0): unknown[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) {
    return value.flatMap((each) => aboutProduct(each, { name, ids, prices: [] }, depth + 1))
  }
  if (!isRecord(value)) return []
  const isIt = Object.values(value).some(
    (each) =>
      typeof each === 'string' &&
      (ids.includes(each) || (name !== '' && plain(each) === plain(name))),
  )
  if (isIt) return [value]
  return Object.values(value).flatMap((each) =>
    aboutProduct(each, { name, ids, prices: [] }, depth + 1),
  )
}

function judgePrices(tool: string, answer: unknown, facts: PageFacts): ToolFinding[] {
  const said = aboutProduct(answer, facts).flatMap((each) => pricesOf(each))
  if (said.length === 0 || facts.prices.length === 0) return []
  const fitting = said.flatMap((price) =>
    facts.prices
      .filter((stated) =>
        stated.decimals.some((one) =>
          price.decimals.some((other) => isSameAmount(one, other, price.currency)),
        ),
      )
      .map((stated) => ({ price, stated })),
  )
  const [first] = facts.prices
  const [other] = said
  const detail = (where: string, price: string, text: string) =>
    `It says ${text} of ${facts.name || 'the product'}; ${where} says ${price}.`
  if (fitting.length === 0) {
    const stated = `${first?.decimals[0]}${first?.currency ? ` ${first.currency}` : ''}`
    return [find('price_differs', tool, detail(first?.where ?? '', stated, other?.text ?? ''))]
  }
  // A sign such as `$` is of many currencies.
  const coded = fitting.filter(({ price, stated }) => price.currency && stated.currency)
  const [fit] = coded
  if (fit === undefined || coded.some(({ price, stated }) => price.currency === stated.currency)) {
    return []
  }
  const stated = `${fit.stated.decimals[0]} ${fit.stated.currency}`
  return [find('currency_differs', tool, detail(fit.stated.where, stated, fit.price.text))]
}
