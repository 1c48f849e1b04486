import type { JSX } from 'preact'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { AuditPage } from '../account/audit/AuditPage.tsx'
import { Link } from '../site.tsx'

interface FirstResultProps {
  result: AuditResult
  now: Date
}

/** The result of an audit without a sign-in. */
export const FirstResult = ({ result, now }: FirstResultProps): JSX.Element => (
  <>
    <p class="strip">
      <span>
        Anyone who has the address of this page can see this result. To audit {result.domain} again
        whenever you like, see how its score changes and try whole purchases,{' '}
        <Link to="/sign-in">sign in</Link> or <Link to="/help">get a key</Link>.
      </span>
    </p>
    <AuditPage result={result} history={[]} now={now} />
  </>
)
