import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import type { ValidateState } from './form.ts'
import { ValidateForm } from './ValidateForm.tsx'

export const ValidatePage = ({ state }: { state: ValidateState }): JSX.Element => (
  <>
    <h1>Check a manifest</h1>
    <p class="lead">
      By URL, including how it is served and whether its endpoints respond, or as text while you
      write it. Manifests of version 1.0 and official UCP profiles are both recognized.
    </p>
    <div id="tool">
      <ValidateForm state={state} />
    </div>
    <p>
      No manifest yet? <Link to="/tools/manifest">Create one.</Link>
    </p>
  </>
)
