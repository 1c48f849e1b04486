import type { JSX } from 'preact'
import { Field } from '../../../../shared/view/form/Field.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { SHARE_DAYS } from '../../../access/share-links.ts'
import type { Share } from '../../../db/access/shares.ts'
import { useSite } from '../../site.tsx'
import { ShareEnd } from './ShareEnd.tsx'

export interface SharePanelProps extends Pick<Share, 'domain' | 'view'> {
  /** The walk, if one is shared. */
  walkId?: string | undefined
  /** The active links. */
  shares: readonly Share[]
}

/** The share links of this page: a form to create one, and to revoke each. */
export function SharePanel({ domain, view, walkId, shares }: SharePanelProps): JSX.Element {
  const { path } = useSite()
  return (
    <details class="card no-print" open={shares.length > 0}>
      <summary>
        <h2 class="folded-title">Share</h2>
      </summary>
      <p id="share">
        Anyone who has a link can see this {view} of {domain}, and nothing else. You can revoke it
        at any time.
      </p>
      <form method="post" action={path('/shares')} class="inline-form">
        <input type="hidden" name="domain" value={domain} />
        <input type="hidden" name="view" value={view} />
        {walkId !== undefined && <input type="hidden" name="walk" value={walkId} />}
        <Field id="share-days" label="Expires">
          {(attributes) => (
            <select {...attributes} name="days">
              {SHARE_DAYS.map((days) => (
                <option key={days} value={days}>
                  after {days} days
                </option>
              ))}
              <option value="">when you revoke it</option>
            </select>
          )}
        </Field>
        <button type="submit" class="button">
          Create link
        </button>
      </form>
      {shares.length > 0 && (
        <ShareList domain={domain} view={view} walkId={walkId} shares={shares} />
      )}
    </details>
  )
}

function ShareList({ domain, view, walkId, shares }: SharePanelProps): JSX.Element {
  const { path } = useSite()
  return (
    <ul class="shares" aria-label="Active links">
      {shares.map(({ id, created_at, expires_at }) => (
        <li key={id}>
          <div>
            Link <code>{id}</code>, valid <ShareEnd at={expires_at} />
            <p class="quiet">
              Created <Moment at={created_at.toISOString()} />
            </p>
          </div>
          <form method="post" action={path('/shares/end')}>
            <input type="hidden" name="domain" value={domain} />
            <input type="hidden" name="view" value={view} />
            {walkId !== undefined && <input type="hidden" name="walk" value={walkId} />}
            <input type="hidden" name="id" value={id} />
            <button type="submit" class="button button-small">
              Revoke<span class="sr-only"> link {id}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}
