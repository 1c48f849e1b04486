import { counted } from '../../web/text/english-count.ts'
import { officialOf, stepState, whyMissing } from '../checks/acp/steps.ts'
import type { AcpSeen, FeedSeen } from '../evidence.ts'
import {
  type ItemSeen,
  inPlace,
  missing,
  ofRows,
  type ReadinessSurface,
  type Requirement,
  reasonsOf,
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

const CONCEPTS = 'https://developers.openai.com/commerce/guides/key-concepts'

/** Whether official ACP answers; the addresses of the specification's own dialect do not count. */
function acpOf(acp: AcpSeen): ItemSeen {
  const operations = officialOf(acp)
  if (acp.official === null || operations === undefined) {
    return acp.doubt === null
      ? missing('Nothing of official ACP was found: neither acp.json nor an address that answers.')
      : unseen(`${acp.doubt}.`)
  }
  const { base } = acp.official
  const why = whyMissing(acp)
  if (why !== null) return missing(`${why}.`)
  const state = stepState(operations, 'create')
  if (state.is === 'alive') return inPlace(`${base} answers.`)
  return state.is === 'dead' ? missing(`${state.why}.`) : unseen(`${state.why}.`)
}

/**
 * What checkout in ChatGPT needs of a store. Apps in ChatGPT are left out: an MCP service that any
 * agent may use does not show that there is one.
 */
export const CHATGPT_CHECKOUT: ReadinessSurface = {
  surface: 'chatgpt_checkout',
  label: 'Checkout in ChatGPT',
  requirements: [
    requirement({
      id: 'checkout_eligible',
      label: 'Products that opt in to checkout',
      fix: 'Set is_eligible_checkout to true for each product that ChatGPT may sell.',
      authority: PRODUCTS,
      check: 'feed',
      isSign: true,
      reads: ['feed'],
      judge: ({ feed }) => {
        if (feed.vendor !== 'openai' || feed.tally.rows === 0) {
          return unseen('No public feed has OpenAI’s names; one that is uploaded cannot be seen.')
        }
        const { rows, opt_ins } = feed.tally
        const opted = `${ofRows(opt_ins.checkout, rows, feed)} opt in`
        return opt_ins.checkout > 0 ? inPlace(`${opted}.`) : missing(`${opted}.`)
      },
    }),
    requirement({
      id: 'checkout_terms',
      label: 'Search, privacy policy and terms for these products',
      fix: 'Give each row that opts in is_eligible_search true, seller_privacy_policy and seller_tos, beside the nine required fields.',
      authority: PRODUCTS,
      check: 'feed',
      reads: ['feed'],
      judge: ({ feed }) => {
        const { checkout, checkout_ready } = feed.tally.opt_ins
        if (feed.vendor !== 'openai' || checkout === 0) return unseen('No public row opts in.')
        const of = `${ofRows(checkout_ready, checkout, feed)} that opt in have all of it`
        return checkout_ready === checkout
          ? inPlace(`${of}.`)
          : missing(`${of}. In the feed: ${reasonsOf(feed, 'openai', ['eligibility'])}.`)
      },
    }),
    requirement({
      id: 'acp_service',
      label: 'Checkout over official ACP',
      fix: 'Serve official ACP, and name its address in /.well-known/acp.json.',
      authority: CONCEPTS,
      check: 'acp',
      isSign: true,
      reads: ['acp'],
      judge: ({ acp }) => acpOf(acp),
    }),
    requirement({
      id: 'openai_checkout_approval',
      label: 'Approval for checkout',
      fix: 'Ask OpenAI, or the platform of your shop, whether checkout is open to you: it is for approved partners.',
      authority: CONCEPTS,
      check: null,
      reads: [],
      judge: () =>
        unseen('Whether OpenAI lets the store sell in ChatGPT cannot be seen from outside.'),
    }),
  ],
}
