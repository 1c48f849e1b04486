import type { Severity } from '../../../shared/audit/vocabulary.ts'
import type { WatchNotice } from '../../../shared/watch/notice.ts'
import { visibleText } from '../../../shared/web/invisible.ts'

/** The texts of a notice as people are shown them: each one line, of bounded length. */
export interface NoticeText {
  title: string
  /** Which domain, how bad it is, and when. */
  about: string
  lines: string[]
  facts: { label: string; value: string }[]
  url: string
}

const MOST = { title: 200, line: 1000, lines: 20, label: 100, value: 500, facts: 20 } as const

const SEVERITY_WORDS: Record<Severity, string> = {
  critical: 'critical',
  high: 'high severity',
  medium: 'medium severity',
  low: 'low severity',
}

/**
 * What may hold a store's words, without what a reader does not see and a machine does: controls, line
 * breaks, zero widths, and what turns the direction of writing.
 */
export function noticeText(notice: WatchNotice): NoticeText {
  const { domain, severity, at } = notice
  return {
    title: shortened(visibleText(notice.title).trim(), MOST.title) || 'Something changed',
    about: [domain, severity && SEVERITY_WORDS[severity], inWords(at)]
      .filter((part) => part !== null)
      .join(' · '),
    lines: texts(notice.lines, MOST.lines, MOST.line),
    facts: notice.facts.slice(0, MOST.facts).map(({ label, value }) => ({
      label: shortened(visibleText(label).trim(), MOST.label) || '–',
      value: shortened(visibleText(value).trim(), MOST.value) || '–',
    })),
    url: new URL(notice.url).href,
  }
}

const texts = (all: readonly string[], most: number, length: number) =>
  all
    .map((text) => shortened(visibleText(text).trim(), length))
    .filter((text) => text !== '')
    .slice(0, most)

/** At most so many UTF-16 units, with an ellipsis in place of the rest, and no half character. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const inWords = (at: string) => `${MOMENT.format(new Date(at))} UTC`
