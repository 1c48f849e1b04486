import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { NoticeItem, NoticeSection, WatchNotice } from '../../../shared/watch/notice.ts'
import { visibleText } from '../../../shared/web/invisible.ts'

/** The texts of a notice as people are shown them: each one line, of bounded length. */
export interface NoticeText {
  title: string
  /** Which domain, how bad it is, and when. */
  about: string
  lines: string[]
  facts: { label: string; value: string }[]
  sections: NoticeSection[]
  url: string
}

const MOST = {
  title: 200,
  line: 1000,
  lines: 20,
  label: 100,
  value: 500,
  facts: 20,
  items: 40,
} as const

const SEVERITY_WORDS: Record<Severity, string> = {
  critical: 'critical',
  high: 'high severity',
  medium: 'medium severity',
  low: 'low severity',
}

/**
 * What may hold a store's words, without what a reader does not see and a machine does: controls,
 * line breaks, zero widths, and what turns the direction of writing.
 */
export function noticeText(notice: WatchNotice): NoticeText {
  const { domain, event, severity, at, sections = [] } = notice
  return {
    title: oneLine(notice.title, MOST.title) || 'Something changed',
    // The title of a digest says of which domain it is, or of how many.
    about: [event !== 'digest' && domain, severity && SEVERITY_WORDS[severity], inWords(at)]
      .filter((part) => typeof part === 'string')
      .join(' · '),
    lines: texts(notice.lines, MOST.lines, MOST.line),
    facts: notice.facts.slice(0, MOST.facts).map(({ label, value }) => ({
      label: oneLine(label, MOST.label) || '–',
      value: oneLine(value, MOST.value) || '–',
    })),
    sections: sections.map(({ title, items }) => ({
      title: oneLine(title, MOST.label),
      items: items.slice(0, MOST.items).map(({ label, text, url }) => ({
        label: oneLine(label, MOST.title) || '–',
        text: oneLine(text, MOST.line),
        url: url === null ? null : new URL(url).href,
      })),
    })),
    url: new URL(notice.url).href,
  }
}

const texts = (all: readonly string[], most: number, length: number) =>
  all
    .map((text) => oneLine(text, length))
    .filter((text) => text !== '')
    .slice(0, most)

const oneLine = (text: string, most: number) => shortened(visibleText(text).trim(), most)

/** What an entry of a section says, as one text. */
export const itemText = ({ label, text }: NoticeItem): string =>
  text === '' ? label : `${label}: ${text}`

/** At most so many UTF-16 units, with an ellipsis in place of the rest, and no half character. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const inWords = (at: string) => `${MOMENT.format(new Date(at))} UTC`
