import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import type { ValidateState } from './form.ts'
import { ValidateForm } from './ValidateForm.tsx'

export const ValidatePage = ({ state }: { state: ValidateState }): JSX.Element => (
  <>
    <h1>Check a manifest</h1>
    <p class="lead">
      By its address, with how it is served and whether its endpoints answer; or as text, while you
      write it. Manifests of version 1.0 and official UCP profiles are told apart.
    </p>
    <div id="tool">
      <ValidateForm state={state} />
    </div>
    <p>
      There is none yet? <Link to="/tools/manifest">Make one.</Link>
    </p>
  </>
)
