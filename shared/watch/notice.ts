import type { Severity } from '../audit/vocabulary.ts'

/**
 * What a notice can be about. Receivers tell them apart by it. `channel.off`: another channel of
 * the domain was switched off, because nothing reached it.
 */
export const NOTICE_EVENTS = [
  'incident.opened',
  'incident.closed',
  'signal',
  'digest',
  'channel.off',
  'test',
] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/**
 * An entry of a list: what it is about, what there is to say, and the page (absolute) that says
 * more.
 */
export interface NoticeItem {
  label: string
  text: string
  url: string | null
}

/** A list below a heading. */
export interface NoticeSection {
  title: string
  items: NoticeItem[]
}

/**
 * One thing to be told about a domain, in the form that every channel is made from. All texts are
 * plain and may hold what a store's page says: each channel writes them so that nothing in them is
 * taken for markup.
 */
export interface WatchNotice {
  /** A UUID: the same in every retry, so that a receiver can tell what it has had. */
  id: string
  domain: string
  /** ISO 8601, UTC. */
  at: string
  event: NoticeEvent
  /** Of the gap that it is about; null where it is about none. */
  severity: Severity | null
  /** One line: what happened. */
  title: string
  /** Sentences, in order: since when, what it costs, what to do first. */
  lines: string[]
  /** Figures and values by name: what the answer was before, and what it is now. */
  facts: { label: string; value: string }[]
  /** Of a digest: lists below headings. */
  sections?: NoticeSection[]
  /** The page of ours that says more: an absolute URL. */
  url: string
  /** The same for programs; what a webhook sends as `data`. */
  data: Readonly<Record<string, unknown>>
}
