import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { NoticeItem, NoticeSection, WatchNotice } from '../../../shared/watch/notice.ts'
import { visibleText } from '../../../shared/web/text/invisible.ts'

/** The texts of a notice for people: each one line, of limited length. */
export interface NoticeText {
  title: string
  /** The domain, the severity and the time. */
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
 * Removes from a text that may come from a store what people do not see but programs act on:
 * control characters, line breaks, zero-width characters, changes of writing direction.
 */
export function noticeText(notice: WatchNotice): NoticeText {
  const { domain, event, severity, at, sections = [] } = notice
  return {
    title: oneLine(notice.title, MOST.title) || 'Something changed',
    // The title of a digest names its domain, or how many domains it covers.
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

/** An entry of a section as one text. */
export const itemText = ({ label, text }: NoticeItem): string =>
  text === '' ? label : `${label}: ${text}`

/** At most `most` UTF-16 units, cut with an ellipsis and never within a character. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const inWords = (at: string) => `${MOMENT.format(new Date(at))} UTC`
