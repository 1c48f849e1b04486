import type { JSX } from 'preact'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { isWalkOver } from '../../../../shared/walk/stored-walk.ts'
import type { WalkLine } from '../../../db/audit/walks.ts'
import { Link } from '../../site.tsx'
import { WalkForm, type WalkFormProps } from './WalkForm.tsx'

interface WalksPageProps extends WalkFormProps {
  /** The newest first. */
  walks: readonly WalkLine[]
}

/** The walks of a domain, and a form for another. */
export function WalksPage({ walks, ...form }: WalksPageProps): JSX.Element {
  return (
    <>
      <h1>Walks of {form.domain}</h1>
      <p class="lead">
        A walk makes whole purchases in your store as an AI agent does, step by step, and shows
        where they stop and what to tell your developer.
      </p>
      <div class="columns walks">
        <WalkForm {...form} />
        <section class="card" aria-labelledby="walks-title">
          <h2 id="walks-title">Earlier walks</h2>
          {walks.length === 0 ? (
            <p class="empty">There are no walks yet.</p>
          ) : (
            <ul>
              {walks.map(({ id, mode, asked_at, state }) => (
                <li key={id}>
                  <Link to={`/walks/${id}`}>
                    <Moment at={asked_at.toISOString()} />
                  </Link>
                  {mode === 'sandbox' && ', in the sandbox'}
                  {!isWalkOver(state) && ', under way'}
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </>
  )
}
