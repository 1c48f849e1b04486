import { FEED_PATH } from '../settings.ts'

/** The formats of the store's catalog; ACP's feed is two files. */
export const FEED_FORMATS = [
  'google-xml',
  'google-tsv',
  'openai-tsv',
  'openai-jsonl',
  'acp-metadata',
  'acp-products',
] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

const TABLE = 'text/tab-separated-values; charset=utf-8'
const LINES = 'application/jsonl'

/** The path and media type of each format; the path with `.gz` is the same, compressed. */
export const FEED_FILES: Record<FeedFormat, { path: string; type: string }> = {
  'google-xml': { path: FEED_PATH, type: 'application/xml; charset=utf-8' },
  'google-tsv': { path: '/feeds/google.tsv', type: TABLE },
  'openai-tsv': { path: '/feeds/openai.tsv', type: TABLE },
  'openai-jsonl': { path: '/feeds/openai.jsonl', type: LINES },
  'acp-metadata': { path: '/feeds/acp/metadata.json', type: 'application/json' },
  'acp-products': { path: '/feeds/acp/products.jsonl', type: LINES },
}

/** OpenAI's feed as Parquet, the form that it prefers. */
export const OPENAI_PARQUET = '/feeds/openai.parquet'
