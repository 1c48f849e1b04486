import { attributeOf, type PageElement, walkHtml } from '../../../markup/html/elements.ts'
import type { Exchange } from '../../transcript.ts'

/** What a page says without its scripts. */
export interface PageText {
  title: string
  /** On one line: blanks stand where elements begin and end. */
  text: string
  /** The same with a line for each element. */
  lines: string
  /** The numbers in its fields for quantities, by their place in `lines`. */
  quantities: { at: number; value: number }[]
  /** Scripts that may change what it shows; data for search engines does not. */
  hasScripts: boolean
  asksPassword: boolean
}

/** Reads any text as HTML; takes time linear in it. */
export function readPageText(html: string): PageText {
  let lines = ''
  let isEnded = true
  const quantities: PageText['quantities'] = []
  let title = ''
  let hasScripts = false
  let asksPassword = false
  const breakLine = () => {
    if (!isEnded) lines += '\n'
    isEnded = true
  }
  walkHtml(html, {
    start(element) {
      breakLine()
      if (element.name === 'script') hasScripts ||= isProgram(attributeOf(element, 'type'))
      if (element.name !== 'input') return
      if (attributeOf(element, 'type')?.toLowerCase() === 'password') asksPassword = true
      const value = quantityIn(element)
      if (value !== null) quantities.push({ at: lines.length, value })
    },
    end({ name }, raw) {
      if (name === 'title' && title === '') title = raw ?? ''
      breakLine()
    },
    text: (characters) => {
      const words = characters.replace(/\s+/g, ' ')
      if (words === ' ' && isEnded) return
      lines += words
      isEnded = false
    },
  })
  return {
    title: onOneLine(title),
    text: onOneLine(lines),
    lines,
    quantities,
    hasScripts,
    asksPassword,
  }
}

/** Blocks of data are no scripts (HTML, the script element). */
const isProgram = (type: string | null): boolean =>
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i.test(type?.trim() ?? '')

const OF_QUANTITY =
  /(?:^|[^a-z])(?:qty|quantity|quantit[àé]|quantidade|menge|anzahl|stückzahl|cantidad|aantal|antal)(?:$|[^a-z])/i

/** The number in a field for a quantity; null in any other field. */
function quantityIn(element: PageElement): number | null {
  const names = ['name', 'id', 'class', 'aria-label']
  const isIt = names.some((name) => OF_QUANTITY.test(attributeOf(element, name) ?? ''))
  const value = attributeOf(element, 'value')?.trim() ?? ''
  return isIt && /^\d{1,4}$/.test(value) ? Number(value) : null
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Characters of a page that a transcript keeps before and after what it was read for. */
const AROUND = 300

/**
 * The exchange with the part of its page that was read instead of the whole: the title, and the
 * text around the first of these words, else its beginning.
 */
export function withExcerpt(exchange: Exchange, words: readonly string[]): Exchange {
  const { answer } = exchange
  if (answer === null) return exchange
  const { title, text } = readPageText(answer.body)
  const said = text.toLowerCase()
  const places = words.map((word) => said.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  const at = Math.max(0, Math.min(...(places.length === 0 ? [0] : places)) - AROUND)
  const around = text.slice(at, at + 2 * AROUND)
  const body = [title.slice(0, AROUND), `${at > 0 ? '…' : ''}${around}`]
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed()
  return { ...exchange, answer: { ...answer, body, cut: true } }
}
