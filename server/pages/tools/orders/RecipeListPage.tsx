import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import { PROOF_TITLES } from '../recipe-parts.tsx'
import { RECIPES } from './recipes.ts'

/** The choice of a recipe. `domain` is that of the property whose id the code shows. */
export const RecipeListPage = ({ domain }: { domain: string | undefined }): JSX.Element => (
  <>
    <p class="crumbs">
      <Link to="/tools">Tools</Link>
    </p>
    <h1>Join orders to visits</h1>
    <p class="lead">
      The <Link to="/tools/snippet">tag</Link> reports visits that AI surfaces bring. Orders in your
      own checkout are reported by your server, with the visit that they belong to: then the report
      shows what each surface sells. Choose where your checkout runs.
    </p>
    <div class="doors">
      {RECIPES.map(({ id, platform, summary, proof }) => (
        <section key={id} class="card">
          <h2>
            <Link to={`/tools/orders/${id}${domain === undefined ? '' : `?domain=${domain}`}`}>
              {platform}
            </Link>
          </h2>
          <p>{summary}</p>
          <p class="quiet">{PROOF_TITLES[proof.is]}</p>
        </section>
      ))}
    </div>
    <p>
      Orders that agents place over UCP or ACP need no visit: report them with that as their{' '}
      <code>source</code>. Every field of the call: <Link to="/docs">the API</Link>.
    </p>
  </>
)
