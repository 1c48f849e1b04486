import {
  DESTINATION_NAMES,
  type FeedDestination,
} from '../../../../shared/audit/checks/feed/vendors/destinations.ts'
import type { CheckedFeed } from '../../../audit/check-feed.ts'
import type { FormState } from '../form-fields.tsx'

export interface FeedFormState extends FormState<'url' | 'feed'> {
  destinations: readonly FeedDestination[]
  /** The file or address that was checked, with what was found. */
  checked: (CheckedFeed & { name: string }) | null
}

/** The form as it was sent. Without a destination that we know, all of them. */
export function readFeedForm(fields: URLSearchParams): FeedFormState {
  const named = fields.getAll('for')
  const chosen = DESTINATION_NAMES.filter((name) => named.includes(name))
  return {
    values: { url: (fields.get('url') ?? '').trim().slice(0, 2000), feed: '' },
    errors: {},
    destinations: chosen.length === 0 ? DESTINATION_NAMES : chosen,
    checked: null,
  }
}
