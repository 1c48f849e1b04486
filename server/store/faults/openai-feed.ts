import type { Overrides } from '../http/store-request.ts'
import { FEED_PATH, SHOP_NAME } from '../shop/settings.ts'
import { at } from './overrides.ts'

type Row = Record<string, string>

/** What OpenAI calls otherwise than Google. */
const NAMES: Record<string, string> = {
  id: 'item_id',
  link: 'url',
  image_link: 'image_url',
  item_group_id: 'group_id',
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The store's feed as OpenAI's JSON Lines, each row changed: the store itself serves Google's. */
export const openaiFeed = (change: (row: Row) => Row): NonNullable<Overrides['reply']> =>
  at(FEED_PATH, (reply, { origin }) => ({
    ...reply,
    headers: { ...reply.headers, 'content-type': 'application/jsonl' },
    body: openaiRows(reply.body, origin)
      .map((row) => `${JSON.stringify(change(row))}\n`)
      .join(''),
  }))

/** The rows of the store's own feed. */
export const openaiRows = (feed: string, origin: string): Row[] =>
  feed
    .split('<item>')
    .slice(1)
    .map((item) => openaiRow(item, origin))

/** One item of the RSS feed, which the store wrote itself, in OpenAI's names. */
function openaiRow(item: string, origin: string): Row {
  const row: Row = {
    seller_name: SHOP_NAME,
    seller_privacy_policy: `${origin}/policies`,
    seller_tos: `${origin}/policies`,
    is_eligible_search: 'true',
    is_eligible_checkout: 'false',
  }
  for (const [, name = '', text = ''] of item.matchAll(/<(?:g:)?(\w+)>([^<]*)</g)) {
    row[NAMES[name] ?? name] = text.replaceAll(/&(\w+);/g, (all, entity) => ENTITIES[entity] ?? all)
  }
  const { color, size } = row
  return row.group_id === undefined
    ? row
    : {
        ...row,
        listing_has_variations: 'true',
        variant_dict: JSON.stringify({ color: color ?? '', size: size ?? '' }),
      }
}
