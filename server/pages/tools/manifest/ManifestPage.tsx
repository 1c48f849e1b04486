import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Link } from '../../site.tsx'
import { FromShop } from '../proposed/FromShop.tsx'
import type { MadeFromShop } from '../proposed/make-proposal.ts'
import type { ManifestState } from './form.ts'
import { HOSTINGS } from './hosting.ts'
import { ManifestForm } from './ManifestForm.tsx'

interface ManifestPageProps {
  state: ManifestState
  made: MadeFromShop | null
}

export const ManifestPage = ({ state, made }: ManifestPageProps): JSX.Element => (
  <>
    <h1>Create the manifest</h1>
    <p class="lead">
      The file at /.well-known/ucp tells agents where your catalog and your checkout are. Nothing
      that you type here is stored.
    </p>
    <FromShop made={made}>
      <div id="tool">
        <ManifestForm state={state} />
      </div>
    </FromShop>
    <section class="prose">
      <h2>Where to put it</h2>
      <p>
        At <code>https://your-domain/.well-known/ucp</code>: on the domain itself, without a file
        extension, a redirect or a password, and as <code>application/json</code>.
      </p>
      {HOSTINGS.map(({ platform, steps, code }) => (
        <details key={platform}>
          <summary>{platform}</summary>
          <p>{steps}</p>
          {code !== undefined && <CodeBlock label={code.label} code={code.text} />}
        </details>
      ))}
      <p>
        Then <Link to="/tools/validate">check that it is live</Link>.
      </p>
    </section>
  </>
)
