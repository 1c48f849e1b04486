import type { Severity } from '../audit/vocabulary.ts'

/**
 * The events of notices, by which receivers tell them apart. `channel.off`: another channel of the
 * domain was switched off, because nothing reached it. `access.ending`: headers that the owner gave
 * end within 14 days, or have ended.
 */
export const NOTICE_EVENTS = [
  'incident.opened',
  'incident.closed',
  'signal',
  'digest',
  'access.ending',
  'channel.off',
  'test',
] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/** An entry of a list: its subject, its text, and the page (absolute) with more. */
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
 * One message about a domain, in the form from which every channel is made. All texts are plain and
 * may come from a store's page: each channel escapes them.
 */
export interface WatchNotice {
  /** A UUID: the same in every retry, so that a receiver can detect a duplicate. */
  id: string
  domain: string
  /** ISO 8601, UTC. */
  at: string
  event: NoticeEvent
  /** Of the gap; null if it is not about one. */
  severity: Severity | null
  /** One line: what happened. */
  title: string
  /** Sentences, in order: since when, what it costs, what to do first. */
  lines: string[]
  /** Values by name: the answer before and now. */
  facts: { label: string; value: string }[]
  /** Of a digest: lists below headings. */
  sections?: NoticeSection[]
  /** Our page with more: an absolute URL. */
  url: string
  /** The same for programs; a webhook sends it as `data`. */
  data: Readonly<Record<string, unknown>>
}
