import { createHash } from 'node:crypto'
import { describeFetch, type Fetched } from '../../../shared/web/http/fetched.ts'
import type { HeldSpec } from './held.ts'

/** Days after which what was read may be out of date. */
export const OLD_AFTER_DAYS = 90

const DAY_MS = 86_400_000

/** What became of one address; `read`: it was read, and there is no digest to compare with. */
export interface SpecSeen {
  url: string
  state: 'same' | 'moved' | 'read' | 'unreached' | 'not_asked'
  /** What moved, or why it was not reached. */
  detail: string | null
  /** The day of what we hold. */
  read: string
  is_old: boolean
  /** Of what is there now; null where it was not reached. */
  digest: string | null
}

/** Compares what we hold with an answer; null where none was asked for. */
export function compareSpec(held: HeldSpec, fetched: Fetched | null, now: Date): SpecSeen {
  const seen = {
    url: held.url,
    read: held.read,
    is_old: now.getTime() - Date.parse(held.read) > OLD_AFTER_DAYS * DAY_MS,
    digest: null,
  }
  if (fetched === null) return { ...seen, state: 'not_asked', detail: null }
  if (fetched.kind !== 'answer' || fetched.status !== 200 || fetched.truncated) {
    const isGone = fetched.kind === 'answer' && [404, 410].includes(fetched.status)
    return { ...seen, state: isGone ? 'moved' : 'unreached', detail: describeFetch(fetched) }
  }
  if (held.is === 'versions') {
    const known = held.holds ?? []
    const news = versionsIn(fetched.body).filter((version) => !known.includes(version))
    return news.length === 0
      ? { ...seen, state: 'same', detail: null }
      : { ...seen, state: 'moved', detail: `there is ${news.join(', ')}` }
  }
  const digest = digestOf(held, fetched.body)
  if (digest === null) return { ...seen, state: 'moved', detail: 'it is not JSON any more' }
  if (held.digest === undefined) return { ...seen, state: 'read', detail: null, digest }
  return digest === held.digest
    ? { ...seen, state: 'same', detail: null, digest }
    : { ...seen, state: 'moved', detail: 'its content is another', digest }
}

const versionsIn = (text: string): string[] => [
  ...new Set(text.match(/(?<=")\d{4}-\d\d-\d\d(?=")/g)),
]

/**
 * White space, the order of members and what publishing adds do not count; of a page, its words
 * alone do. Null for what is not of its kind.
 */
export function digestOf({ is, url }: Pick<HeldSpec, 'is' | 'url'>, body: string): string | null {
  try {
    const counts =
      is === 'json' ? JSON.stringify(canonical(JSON.parse(body), publishedAt(url))) : wordsIn(body)
    return createHash('sha256').update(counts).digest('hex')
  } catch {
    return null
  }
}

interface Published {
  url: string
  /** The version in its address, if there is one. */
  version: string | null
}

const publishedAt = (url: string): Published => ({
  url,
  version: /\/(\d{4}-\d\d-\d\d)\//.exec(url)?.[1] ?? null,
})

/**
 * One form for a schema as its repository has it and as the site publishes it: ucp.dev writes
 * references as whole addresses, and adds `$id` and the version to what it has of a release.
 */
function canonical(value: unknown, at: Published): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each, at))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name === '$id' || (name === 'version' && each === at.version)) return []
    const isReference = name === '$ref' && typeof each === 'string'
    return [[name, isReference ? new URL(each, at.url).href : canonical(each, at)]]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const wordsIn = (html: string): string =>
  html
    .replaceAll(/<(script|style|noscript|template)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
