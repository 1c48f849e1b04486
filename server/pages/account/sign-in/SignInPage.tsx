import type { JSX } from 'preact'
import { Field } from '../../../../shared/view/form/Field.tsx'
import { ErrorNotice, Notice } from '../../../../shared/view/Notice.tsx'
import { Link, useSite } from '../../site.tsx'

interface SignInPageProps {
  /** The path to return to. */
  next: string
  /** Why the last attempt failed. */
  problem?: string | undefined
  /** A browser sent a form after it was signed out. */
  isUnsent?: boolean
}

export function SignInPage({ next, problem, isUnsent = false }: SignInPageProps): JSX.Element {
  const { path } = useSite()
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <p>
        Sign in with your API key to see the reports and audits of your domains. The key is checked
        once and is not stored in a cookie.
      </p>
      {isUnsent && (
        <Notice kind="warning" title="You were signed out">
          <p>What you just sent was not done. Sign in, and send it again.</p>
        </Notice>
      )}
      {problem !== undefined && <ErrorNotice title="You are not signed in" message={problem} />}
      <form method="post" action={path('/sign-in')} class="card">
        <input type="hidden" name="next" value={next} />
        <Field id="key" label="API key" hint="It begins with aisle_live_.">
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              name="key"
              required
              autocomplete="current-password"
              spellcheck={false}
              maxLength={200}
            />
          )}
        </Field>
        <button type="submit" class="button button-primary">
          Sign in
        </button>
      </form>
      <p>
        No key yet? <Link to="/help">How to get one</Link>.
      </p>
    </div>
  )
}
