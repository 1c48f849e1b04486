import type { Page } from '../../markup/page.ts'
import { describeFetch } from '../../web/http/fetched.ts'
import type { PageSeen } from '../evidence.ts'
import { skip, type Verdict } from '../rule.ts'

/** Without the home page's HTML nothing is known, so that rules skip. */
export const whenHomeRead = (
  { page, fetched }: PageSeen,
  audit: (page: Page) => Verdict,
): Verdict =>
  page === null ? skip(`the home page could not be read: ${describeFetch(fetched)}`) : audit(page)
