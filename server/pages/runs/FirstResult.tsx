import type { JSX } from 'preact'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { AuditPage } from '../account/audit/AuditPage.tsx'
import { Link, useSite } from '../site.tsx'

interface FirstResultProps {
  result: AuditResult
  now: Date
  /** The path of this page. */
  here: string
  /** Whether who is signed in covers the domain; null for a stranger. */
  mayKeep: boolean | null
}

/** The result of an audit without a key. */
export function FirstResult({ result, now, here, mayKeep }: FirstResultProps): JSX.Element {
  const { domain } = result
  const { path } = useSite()
  return (
    <>
      <div class="strip">
        <span>
          Anyone who has the address of this page can see this result.{' '}
          {mayKeep === null && (
            <>
              To keep it, audit {domain} again and see how its score changes,{' '}
              <Link to={`/sign-in?next=${encodeURIComponent(here)}`}>sign in</Link> or{' '}
              <Link to="/help">get a key</Link>.
            </>
          )}
          {mayKeep === false && `Your key does not cover ${domain}, so that you cannot keep it.`}
        </span>
        {mayKeep === true && (
          <form method="post" action={path(`${here}/keep`)}>
            <button type="submit" class="button button-small">
              Keep this audit
            </button>
          </form>
        )}
      </div>
      <AuditPage result={result} history={[]} now={now} />
    </>
  )
}
