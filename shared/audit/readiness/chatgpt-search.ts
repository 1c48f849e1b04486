import { counted } from '../../web/text/english-count.ts'
import type { FeedSeen } from '../evidence.ts'
import { ofRows, reasonsOf } from './feed-words.ts'
import {
  type ItemSeen,
  inPlace,
  missing,
  type ReadinessSurface,
  type Requirement,
  requirement,
  unseen,
} from './requirement.ts'

const PRODUCTS = 'https://developers.openai.com/commerce/specs/file-upload/products'

/** Over a feed that has OpenAI's names. */
const inFeed = (
  words: Pick<Requirement, 'id' | 'label' | 'fix' | 'isSign'>,
  judge: (feed: FeedSeen) => ItemSeen,
): Requirement =>
  requirement({
    ...words,
    authority: PRODUCTS,
    check: 'feed',
    reads: ['feed'],
    judge: ({ feed }) =>
      feed.vendor === 'openai' && feed.tally.rows > 0
        ? judge(feed)
        : unseen('No public feed has OpenAI’s names; one that is uploaded cannot be seen.'),
  })

/** What ChatGPT's product search needs of a store's feed. */
export const CHATGPT_SEARCH: ReadinessSurface = {
  surface: 'chatgpt_search',
  label: 'Search in ChatGPT',
  requirements: [
    inFeed(
      {
        id: 'openai_feed',
        label: 'A product feed for OpenAI',
        fix: 'Write a feed with the fields of OpenAI’s reference, one row for each variant.',
        isSign: true,
      },
      ({ url, tally }) => inPlace(`${url} has ${counted(tally.rows, 'row')}.`),
    ),
    inFeed(
      {
        id: 'search_eligible',
        label: 'Products that may be shown',
        fix: 'Set is_eligible_search to true for each product that ChatGPT may show.',
      },
      (feed) => {
        const { rows, opt_ins } = feed.tally
        const shown = `${ofRows(opt_ins.search, rows, feed)} may be shown`
        return opt_ins.search === 0
          ? missing(`${shown}: is_eligible_search is false in all others.`)
          : inPlace(`${shown}.`)
      },
    ),
    inFeed(
      {
        id: 'search_fields',
        label: 'The nine required fields',
        fix: 'Give each row item_id, title, description, url, image_url, brand, seller_name, availability and price, with an id of its own.',
      },
      (feed) => {
        const { search, search_ready } = feed.tally.opt_ins
        if (search === 0) return unseen('No row may be shown.')
        const qualify = `${ofRows(search_ready, search, feed)} that may be shown qualify`
        return search_ready === search
          ? inPlace(`${qualify}.`)
          : missing(`${qualify}. In the feed: ${reasonsOf(feed, 'openai')}.`)
      },
    ),
    requirement({
      id: 'openai_onboarding',
      label: 'Approval and delivery',
      fix: 'Apply to OpenAI as a merchant, and push the whole feed daily to the SFTP address that you get. Feeds are for the US unless agreed otherwise.',
      authority: 'https://developers.openai.com/commerce/product-feeds/onboarding',
      check: null,
      reads: [],
      judge: () =>
        unseen('OpenAI’s approval and the delivery of the feed cannot be seen from outside.'),
    }),
  ],
}
