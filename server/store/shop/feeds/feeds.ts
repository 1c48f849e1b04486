import { applyFaults, cacheable, type Reply } from '../../http/store-request.ts'
import type { InventoryRequest } from '../inventory.ts'
import { acpMetadata, acpProducts } from './acp.ts'
import { FEED_FILES, type FeedFormat } from './formats.ts'
import { googleRss, googleTable } from './google.ts'
import { openaiLines, openaiTable } from './openai.ts'

/** Each writes the whole catalog with its current stock. */
export const FEED_WRITERS: Record<FeedFormat, (request: InventoryRequest) => string> = {
  'google-xml': googleRss,
  'google-tsv': googleTable,
  'openai-tsv': openaiTable,
  'openai-jsonl': openaiLines,
  'acp-metadata': acpMetadata,
  'acp-products': acpProducts,
}

/** A feed as it is served at its address. */
export function feedReply(request: InventoryRequest, asked: FeedFormat): Reply {
  const format = asked === 'google-xml' ? applyFaults(request, 'declaredFeed', asked) : asked
  const { headers } = cacheable(300)
  return {
    status: 200,
    headers: { 'content-type': FEED_FILES[format].type, ...headers },
    body: FEED_WRITERS[format](request),
  }
}
