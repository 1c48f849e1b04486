import { walkHtml } from '../../../markup/html/elements.ts'
import type { Exchange } from '../../transcript.ts'

/** What a page says without its scripts. */
interface PageText {
  title: string
  /** Blanks stand where elements begin and end. */
  text: string
  hasScripts: boolean
}

/** Reads any text as HTML; takes time linear in it. */
export function readPageText(html: string): PageText {
  const parts: string[] = []
  let title = ''
  let hasScripts = false
  walkHtml(html, {
    start({ name }) {
      if (name === 'script') hasScripts = true
      parts.push(' ')
    },
    end({ name }, raw) {
      if (name === 'title' && title === '') title = raw ?? ''
      parts.push(' ')
    },
    text: (characters) => void parts.push(characters),
  })
  return { title: onOneLine(title), text: onOneLine(parts.join('')), hasScripts }
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
