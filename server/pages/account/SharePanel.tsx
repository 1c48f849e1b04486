import type { JSX } from 'preact'
import { Field } from '../../../shared/view/Field.tsx'
import { formatDateTime } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import type { Share } from '../../db/shares.ts'
import { SHARE_DAYS } from '../../share-links.ts'
import { useSite } from '../site.tsx'

export interface SharePanelProps {
  domain: string
  view: Share['view']
  shares: readonly Share[]
}

/** Links that show this page to whoever has them: making one, and ending each. */
export function SharePanel({ domain, view, shares }: SharePanelProps): JSX.Element {
  const { path } = useSite()
  return (
    <section class="card no-print" id="share">
      <h2>Share</h2>
      <p>
        A link shows this {view} of {domain} to whoever has it, and nothing else. It can be ended at
        any time.
      </p>
      <form method="post" action={path('/shares')} class="inline-form">
        <input type="hidden" name="domain" value={domain} />
        <input type="hidden" name="view" value={view} />
        <Field id="share-days" label="It ends">
          {(attributes) => (
            <select {...attributes} name="days">
              {SHARE_DAYS.map((days) => (
                <option key={days} value={days}>
                  after {days} days
                </option>
              ))}
              <option value="">when you end it</option>
            </select>
          )}
        </Field>
        <button type="submit" class="button">
          Make a link
        </button>
      </form>
      {shares.length > 0 && <ShareTable domain={domain} view={view} shares={shares} />}
    </section>
  )
}

function ShareTable({ domain, view, shares }: SharePanelProps): JSX.Element {
  const { path } = useSite()
  const { locale } = useLanguage()
  return (
    <table>
      <caption class="sr-only">Links of this {view}</caption>
      <thead>
        <tr>
          <th scope="col">Link</th>
          <th scope="col">Made</th>
          <th scope="col">Ends</th>
          <th scope="col">
            <span class="sr-only">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ id, created_at, expires_at }) => (
          <tr key={id}>
            <th scope="row">
              <code>{id}</code>
            </th>
            <td>{formatDateTime(created_at.toISOString(), locale)}</td>
            <td>
              {expires_at === null
                ? 'when you end it'
                : formatDateTime(expires_at.toISOString(), locale)}
            </td>
            <td>
              <form method="post" action={path('/shares/end')}>
                <input type="hidden" name="domain" value={domain} />
                <input type="hidden" name="view" value={view} />
                <input type="hidden" name="id" value={id} />
                <button type="submit" class="button button-small">
                  End<span class="sr-only"> link {id}</span>
                </button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
