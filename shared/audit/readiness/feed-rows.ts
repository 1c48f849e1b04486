import type { FeedVendor } from '../../commerce/feed.ts'
import type { FeedSeen } from '../evidence.ts'
import {
  type ItemSeen,
  inPlace,
  missing,
  ofRows,
  type Requirement,
  reasonsOf,
  requirement,
  unseen,
} from './requirement.ts'

type Words = Pick<Requirement, 'id' | 'label' | 'fix' | 'page'>

const NAMES: Record<FeedVendor, string> = { google: 'Google’s', openai: 'OpenAI’s' }

/** Over a public feed that has the names of this vendor. */
const inFeedOf =
  (vendor: FeedVendor) =>
  (words: Words, judge: (feed: FeedSeen) => ItemSeen): Requirement =>
    requirement({
      ...words,
      check: 'feed',
      reads: ['feed'],
      judge: ({ feed }) => {
        if (feed.kind === null || feed.tally.rows === 0) {
          return unseen('No public product feed was read; one that is uploaded cannot be seen.')
        }
        return feed.vendor === vendor
          ? judge(feed)
          : unseen(`The feed at ${feed.url} does not have ${NAMES[vendor]} names.`)
      },
    })

export const inGoogleFeed = inFeedOf('google')
export const inOpenaiFeed = inFeedOf('openai')

/** Whether each row states all that Google requires of a product. */
export function completeRows(feed: FeedSeen): ItemSeen {
  const { rows, incomplete } = feed.tally
  const of = `${ofRows(rows - incomplete, rows, feed)} have every required value`
  return incomplete === 0
    ? inPlace(`${of}.`)
    : missing(`${of}. In the feed: ${reasonsOf(feed, 'google')}.`)
}
