import { shareOf } from '../../../shared/audit/checks/catalog/seen-products.ts'
import { type PageTally, tallyPage } from '../../../shared/audit/checks/catalog/whole-tally.ts'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import type { AnswerBody } from '../../../shared/audit/checks/well-known/access/challenge.ts'
import {
  challengeOnPage,
  readAccessContent,
} from '../../../shared/audit/checks/well-known/access/read-content.ts'
import type { AccessContent, Platform } from '../../../shared/audit/evidence.ts'
import { type PlatformSign, readPlatformSigns } from '../../../shared/audit/platforms/signs.ts'
import type { Readiness } from '../../../shared/audit/readiness/groups.ts'
import { readinessOf } from '../../../shared/audit/readiness/readiness.ts'
import { type ProductTitle, titlesOf } from '../../../shared/audit/result/product-titles.ts'
import type { CatalogShare } from '../../../shared/audit/result/result.ts'
import { runRules, type Verdict } from '../../../shared/audit/rule.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'
import type { CatalogDialectName } from '../../../shared/commerce/catalog/dialect.ts'
import { inspectAny, type ProfileInspection } from '../../../shared/manifest/ucp/profile.ts'
import { readPage } from '../../../shared/markup/page.ts'
import type { NamedAsProduct } from '../../../shared/markup/product-page.ts'
import { answersOf, type SeenAnswers } from '../../../shared/watch/answers.ts'
import type { Json, JsonSeen } from '../../../shared/web/http/fetched.ts'
import { challengeInHeaders, challengeInHtml } from '../../../shared/web/http/presence.ts'
import type { FeedState, Followed } from '../probe/feed/format.ts'
import { type FeedPart, readFeedPart } from '../probe/feed/reader.ts'
import {
  type ParquetUpload,
  readParquetBytes,
  readUploadPart,
  type UploadPart,
  type UploadPartRead,
} from '../probe/feed/upload.ts'
import { decodeBody } from '../probe/fetch/body.ts'
import { readJson } from './json.ts'
import { type Locations, readLocations } from './locations.ts'
import { openEvidence, type SealedEvidence, type SealedPage, sealPage } from './sealed-page.ts'

/** A body as it arrived, decompressed. */
interface Body {
  bytes: Uint8Array<ArrayBuffer>
  /** Content-Type, as far as there is one: it may name the encoding. */
  contentType: string | undefined
  /** We stopped reading before its end. */
  truncated: boolean
  /** Where it came from after redirects. */
  url: string
}

/** The answer to a request for a page. */
export interface PageBody extends Body {
  status: number
  /** By lower-case name. */
  headers?: Record<string, string>
  /** Who calls it a product's page. */
  named?: NamedAsProduct | null
  /** As in `readPage`. Default false. */
  readsChoices?: boolean
}

/** What each task takes. */
export interface TaskInputs {
  page: PageBody
  access: PageBody
  json: Body
  /** One part of a feed, decoded, and what is known of those before. */
  feed: { before: FeedState | null; text: string; followed: Followed }
  /** One part of a feed that is checked before its upload, and a whole one in Parquet. */
  feed_part: UploadPart
  feed_parquet: ParquetUpload
  locations: Body
  manifest: { document: unknown; domain?: string }
  /** One page of a catalog, the `number`th from 1. */
  catalog: { dialect: CatalogDialectName; page: JsonSeen; number: number }
  judge: Case
}

export type TaskName = keyof TaskInputs
/** The tasks that read a body. */
export type BodyTask = 'page' | 'access' | 'json' | 'locations'

/**
 * All that is done with what a stranger sends. Each is pure and total, and takes and returns plain
 * data: it runs in a worker (`worker.ts`).
 */
export const TASKS = {
  page({ status, named = null, headers = {}, readsChoices = false, ...body }: PageBody): PageRead {
    const html = decodeBody(body)
    // Under an error status it is not the page asked for.
    const how = { isWhole: !body.truncated, readsChoices }
    const read = status >= 200 && status < 300 ? readPage(html, body.url, how) : null
    const challenge =
      read === null
        ? (challengeInHeaders(headers) ?? challengeInHtml(html))
        : challengeOnPage({ headers, html }, read)
    return {
      page: read && challenge === null ? sealPage(read, named) : null,
      challenge,
      platform: platformOf(html),
      signs: read && challenge === null ? readPlatformSigns(html, headers) : [],
      excerpt: excerptOf(html),
    }
  },
  access({ status, headers = {}, ...body }: PageBody): AccessContent {
    const { url, truncated, bytes } = body
    const html = decodeBody(body)
    const answer: AnswerBody = { status, headers, html, url, truncated, bytes: bytes.length }
    return readAccessContent(answer)
  },
  json(body: Body): JsonRead {
    const text = decodeBody(body)
    return { ...readJson(text, body), excerpt: excerptOf(text) }
  },
  feed: ({ before, text, followed }: TaskInputs['feed']): FeedPart =>
    readFeedPart(before, text, followed),
  feed_part: (part: UploadPart): UploadPartRead => readUploadPart(part),
  feed_parquet: (upload: ParquetUpload) => readParquetBytes(upload),
  locations: (body: Body): Locations => readLocations(decodeBody(body)),
  manifest: ({ document, domain }: TaskInputs['manifest']): ProfileInspection =>
    inspectAny(document, domain === undefined ? {} : { domain }),
  catalog: ({ dialect, page, number }: TaskInputs['catalog']): PageTally =>
    tallyPage(dialect, page, number),
  judge({ checks, evidence, answers = false }: Case): JudgedCase {
    const opened = openEvidence(evidence)
    return {
      verdicts: Object.fromEntries(
        runRules(rulesOf(checks), opened).map(({ rule, verdict }) => [rule.id, verdict]),
      ),
      readiness: readinessOf(checks, opened),
      share: evidence.catalog === undefined ? null : shareOf(evidence.catalog),
      titles: titlesOf(evidence),
      ...(answers && { answers: answersOf(opened) }),
    }
  },
} satisfies { [K in TaskName]: (input: TaskInputs[K]) => unknown }

export type TaskOutput<K extends TaskName> = Awaited<ReturnType<(typeof TASKS)[K]>>

/** Does one of them; that of Parquet alone has to be awaited. */
export function runTask<K extends TaskName>(
  task: K,
  input: TaskInputs[K],
): TaskOutput<K> | Promise<TaskOutput<K>> {
  const tasks: {
    [T in TaskName]: (input: TaskInputs[T]) => TaskOutput<T> | Promise<TaskOutput<T>>
  } = TASKS
  return tasks[task](input)
}

/** What is judged, and by which rules. */
interface Case {
  checks: readonly CheckName[]
  evidence: Partial<SealedEvidence>
  /** What was answered is wanted as well. */
  answers?: boolean
}

interface JudgedCase {
  /** By the ids of the rules: after an update in place, the worker may have others. */
  verdicts: Record<string, Verdict>
  readiness: Readiness[]
  /** How much of the catalog was seen; null without one. */
  share: CatalogShare | null
  /** What the products that were read are called. */
  titles: ProductTitle[]
  /** What was answered, in short; left out unless it is wanted. */
  answers?: SeenAnswers
}

interface PageRead {
  page: SealedPage | null
  /** Whose bot challenge came instead of the page. */
  challenge: string | null
  /** A hint where to look for products. */
  platform: Platform | null
  /** What shows for certain which software made it. */
  signs: PlatformSign[]
  excerpt: string
}

interface JsonRead {
  json: Json
  /** The document holds more than is read of one, and was not parsed. */
  exceeded: boolean
  excerpt: string
}

function platformOf(html: string): Platform | null {
  if (/cdn\.shopify\.com|Shopify\.theme/.test(html)) return 'shopify'
  return /woocommerce|wp-content/i.test(html) ? 'woocommerce' : null
}

/** What findings quote, and what tells a page from data; the rest of a body is not kept. */
const MAX_EXCERPT = 4096

const excerptOf = (text: string): string => text.slice(0, MAX_EXCERPT)
