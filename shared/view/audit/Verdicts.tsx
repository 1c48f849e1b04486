import type { ComponentChildren, JSX } from 'preact'
import type { AuditResult } from '../../audit/result/result.ts'
import { Icon } from '../Icon.tsx'
import { checkNamed } from './check-names.ts'

/** Names each rule in words, and links to its page. */
interface NamedListProps {
  /** The page of a gap; without it there are no links. */
  docs?: ((gap: string) => string) | undefined
}

function CheckNamed({ id, docs }: NamedListProps & { id: string }): ComponentChildren {
  const { words, gap } = checkNamed(id)
  return docs === undefined || gap === null ? words : <a href={docs(gap)}>{words}</a>
}

interface PassedListProps extends NamedListProps {
  passed: AuditResult['passed']
  notes?: AuditResult['passed_notes'] | undefined
}

/** The passed rules, collapsed. */
export function PassedList({ passed, notes = {}, docs }: PassedListProps): JSX.Element {
  if (passed.length === 0) return <p class="empty">Nothing passed yet.</p>
  return (
    <details class="verdicts">
      <summary>Passed ({passed.length})</summary>
      <ul>
        {passed.map((id) => (
          <li key={id} class="is-passed">
            <Icon shape="check" />
            <div>
              <CheckNamed id={id} docs={docs} />
              {Object.hasOwn(notes, id) && <p class="quiet">{notes[id]}</p>}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface JudgedPagesProps {
  pages: AuditResult['product_pages'] | undefined
}

/** Which pages were judged as product pages and why, collapsed; nothing without any. */
export function JudgedPages({ pages = [] }: JudgedPagesProps): JSX.Element | null {
  if (pages.length === 0) return null
  return (
    <details class="verdicts">
      <summary>Product pages that were judged ({pages.length})</summary>
      <ul>
        {pages.map(({ url, found_by, because }) => (
          <li key={url}>
            <Icon shape="level" />
            <div class="wild">
              {url}
              <p class="quiet">
                {[...(isFoundBy(found_by) ? [FOUND_BY[found_by]] : []), ...because].join('; ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

const FOUND_BY = {
  catalog: 'listed in the catalog',
  feed: 'listed in the product feed',
  json_ld: 'named by the markup of the home page',
  earlier_audit: 'a product page in an earlier audit',
  sitemap: 'listed in a sitemap',
  home_page_link: 'linked on the home page',
  category_link: 'linked on a page of the store',
  home_page: 'the home page itself',
  open_page: 'the open page',
}

/** A newer server may name others. */
const isFoundBy = (found_by: string): found_by is keyof typeof FOUND_BY =>
  Object.hasOwn(FOUND_BY, found_by)

interface SkippedListProps extends NamedListProps {
  skipped: AuditResult['skipped']
}

/** What could not be judged and why, collapsed; nothing if everything was judged. */
export function SkippedList({ skipped, docs }: SkippedListProps): JSX.Element | null {
  if (skipped.length === 0) return null
  return (
    <details class="verdicts">
      <summary>Not judged ({skipped.length})</summary>
      <p class="quiet">These could not be checked, so they do not add to the score.</p>
      <ul>
        {skipped.map(({ id, reason }) => (
          <li key={id}>
            <Icon shape="level" />
            <div>
              <CheckNamed id={id} docs={docs} />
              <p class="quiet">{reason}</p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
