import { snippetsOf } from '../../../shared/audit/checks/attribution/rules.ts'
import type { Page } from '../../../shared/markup/page.ts'
import { allOffers } from '../../../shared/markup/products.ts'
import type { BothPages } from './judged-page.ts'
import type { ScriptOnly } from './page-audit.ts'

const MAX_LISTED = 20
const MAX_TEXT = 200

/** What a page says of each kind, as texts that can be compared. */
const READERS: { what: ScriptOnly['what']; read: (page: Page) => (string | null)[] }[] = [
  { what: 'product', read: ({ products }) => products.map(({ name, where }) => name ?? where) },
  {
    what: 'offer',
    read: ({ products }) =>
      products
        .flatMap(allOffers)
        .map(({ price, currency }) =>
          price === null ? null : `${price} ${currency ?? ''}`.trim(),
        ),
  },
  {
    what: 'organization',
    read: ({ organizations }) => organizations.map(({ name, where }) => name ?? where),
  },
  { what: 'snippet', read: (page) => snippetsOf(page).map(({ url }) => url.href) },
  { what: 'title', read: ({ title }) => [title] },
  {
    what: 'description',
    read: ({ meta }) => meta.flatMap(({ key, content }) => (key === 'description' ? content : [])),
  },
  {
    what: 'canonical',
    read: ({ links }) => links.flatMap(({ rel, href }) => (rel.includes('canonical') ? href : [])),
  },
]

/** What the browser shows and an agent without scripts cannot see. */
export const listScriptOnly = ({ judged, rendered }: BothPages): ScriptOnly[] =>
  READERS.flatMap(({ what, read }) => {
    const sent = new Set(read(judged))
    return [...new Set(read(rendered))].flatMap((text) =>
      text === null || text === '' || sent.has(text)
        ? []
        : [{ what, text: text.slice(0, MAX_TEXT) }],
    )
  }).slice(0, MAX_LISTED)
