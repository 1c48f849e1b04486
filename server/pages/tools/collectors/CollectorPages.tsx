import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import { WithCode } from '../../WithCode.tsx'
import type { OwnNames, RecipeFiles } from '../orders/recipe-files.ts'
import type { Recipe } from '../orders/recipes.ts'
import { PROOF_TITLES, ProofNotice, RecipeEnd, RecipeSteps } from '../recipe-parts.tsx'
import { COLLECTORS } from './collectors.ts'

const TITLE = 'Count what AI agents read'

/** The choice of a collector. `domain` is that whose name the code shows. */
export const CollectorListPage = ({ domain }: { domain: string | undefined }): JSX.Element => (
  <>
    <p class="crumbs">
      <Link to="/tools">Tools</Link>
    </p>
    <h1>{TITLE}</h1>
    <p class="lead">
      AI agents read a store long before anybody clicks, and most run no script: only your server
      sees them. It reports them, and nothing of people. Choose what answers for your store.
    </p>
    <div class="doors">
      {COLLECTORS.map(({ id, platform, summary, proof }) => (
        <section key={id} class="card">
          <h2>
            <Link to={`/tools/collectors/${id}${domain === undefined ? '' : `?domain=${domain}`}`}>
              {platform}
            </Link>
          </h2>
          <p>{summary}</p>
          <p class="quiet">{PROOF_TITLES[proof.is]}</p>
        </section>
      ))}
    </div>
    <p>
      Logs of Cloudflare, CloudFront and Fastly, and drains of Vercel and Netlify, can be sent as
      they are: <Link to="/docs/reportFetches">the API</Link>. If you run Aisle yourself, its
      command <code>aisle logs</code> reads the files that you have.
    </p>
  </>
)

interface CollectorPageProps {
  collector: Recipe
  code: RecipeFiles['collectors']
  names: OwnNames
  /** Whether the code has the domain of who is signed in. */
  isFilledIn: boolean
}

export function CollectorPage(props: CollectorPageProps): JSX.Element {
  const { collector, code, names, isFilledIn } = props
  const { platform, versions, summary, proof, steps } = collector
  const { domain } = names
  return (
    <article>
      <p class="crumbs">
        <Link to="/tools">Tools</Link> / <Link to="/tools/collectors">{TITLE}</Link>
      </p>
      <h1>
        {TITLE}: {platform}
      </h1>
      <p class="lead">{summary}</p>
      <p class="quiet">For {versions}.</p>
      <ProofNotice proof={proof} />
      <div class="prose">
        <p>
          {isFilledIn ? (
            <>The code has your domain in it, {domain}.</>
          ) : (
            <>
              Replace <code>{domain}</code> with your domain. <Link to="/fetches">Sign in</Link>,
              and the code has it.
            </>
          )}{' '}
          What else you need:{' '}
          <Link to={isFilledIn ? `/keys?for=server&domain=${domain}#new` : '/help#key'}>
            a key for your server
          </Link>
          , which may report (<code>report:write</code>).
        </p>
      </div>
      <RecipeSteps steps={steps} code={code} names={names} />
      <div class="prose">
        <h2>How to see that it works</h2>
        <ol>
          <li>
            Ask for a page as an agent does:{' '}
            <code>{`curl -A 'ChatGPT-User/1.0' https://${domain}/`}</code>.{' '}
            <WithCode text={collector.look} />
          </li>
          <li>
            Open <Link to={`/fetches?domain=${domain}`}>what AI agents read</Link>: within two
            minutes it has a request of ChatGPT-User. It is forged: your address is not OpenAI’s.
          </li>
        </ol>
        <RecipeEnd recipe={collector} />
      </div>
    </article>
  )
}
