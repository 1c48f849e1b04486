import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import { WithCode } from '../../WithCode.tsx'
import { ProofNotice, RecipeEnd, RecipeSteps } from '../recipe-parts.tsx'
import type { OwnNames, RecipeFiles } from './recipe-files.ts'
import type { Recipe } from './recipes.ts'

interface RecipePageProps {
  recipe: Recipe
  code: RecipeFiles['code']
  /** The address of the service, and the store's own names, if they are known. */
  names: OwnNames
  /** The address of the store, as if opened from ChatGPT. */
  visit: string
  /** Whether the domain is one of the reader's. */
  isOwn: boolean
  /** Whether the code has the id of a property in it. */
  isFilledIn: boolean
}

export function RecipePage({
  recipe,
  code,
  names,
  visit,
  isOwn,
  isFilledIn,
}: RecipePageProps): JSX.Element {
  const { platform, versions, summary, proof, steps } = recipe
  const keyFor = steps.some(({ download }) => download !== undefined) ? 'plugin' : 'server'
  return (
    <article>
      <p class="crumbs">
        <Link to="/tools">Tools</Link> / <Link to="/tools/orders">Join orders to visits</Link>
      </p>
      <h1>Join orders to visits: {platform}</h1>
      <p class="lead">{summary}</p>
      <p class="quiet">For {versions}.</p>
      <ProofNotice proof={proof} />
      <div class="prose">
        {steps.some(({ files }) => files) && (
          <p>
            {isFilledIn ? (
              <>
                The code has your property of {names.domain} in it, <code>{names.id}</code>.{' '}
                <Link to={`/tools/snippet?domain=${names.domain}`}>Check that its tag is live</Link>
                .
              </>
            ) : (
              <>
                Replace <code>{names.id}</code> with the id of your property
                {!isOwn && (
                  <>
                    , and <code>{names.domain}</code> with your domain
                  </>
                )}
                .{' '}
                <Link to={isOwn ? `/properties?domain=${names.domain}` : '/properties'}>
                  {isOwn ? 'Create a property' : 'Sign in or create a property'}
                </Link>
                , and the code has {isOwn ? 'it' : 'them in it'}.
              </>
            )}
          </p>
        )}
        <p>
          What else you need:{' '}
          <Link to={isOwn ? `/keys?for=${keyFor}&domain=${names.domain}#new` : '/help#key'}>
            a key for your {keyFor}
          </Link>
          {keyFor === 'server' && (
            <>
              , which may report orders (<code>report:write</code>)
            </>
          )}
          .
        </p>
      </div>
      <RecipeSteps steps={steps} code={code} names={names} />
      <div class="prose">
        <h2>How to see that it works</h2>
        <Trying {...{ recipe, names, visit, isOwn }} />
        <RecipeEnd recipe={recipe} />
      </div>
    </article>
  )
}

function Trying({
  recipe,
  names,
  visit,
  isOwn,
}: Pick<RecipePageProps, 'recipe' | 'names' | 'visit' | 'isOwn'>): JSX.Element {
  const { domain } = names
  const properties = `/properties${isOwn ? `?domain=${domain}` : ''}`
  return (
    <>
      <ol>
        <li>
          Open <a href={visit}>your store as if from ChatGPT</a> in a new tab, in a browser without
          an ad blocker. <Link to={properties}>Your properties</Link> say that a visit was reported.
        </li>
        <li>
          Order something in the same tab, and pay it in the test mode of your payment provider.{' '}
          <WithCode text={recipe.look} />
        </li>
        <li>
          Open <Link to={`/report?domain=${domain}`}>the report</Link>: within a minute it has an
          order under ChatGPT.
        </li>
      </ol>
      <p>
        Nothing there? A response of the API other than 200 says what to correct. Under 200, the
        note <code>Unknown visit_id</code> means that the visit itself was not reported, and that
        the order stands apart: <Link to={`/tools/snippet?domain=${domain}`}>check the tag</Link>.
        Your test order counts like any other; the operator can remove it with{' '}
        <code>aisle report forget</code> and its <code>session_id</code>. It does not come back
        then: place a new order to test again.
      </p>
    </>
  )
}
