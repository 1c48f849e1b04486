import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { Link, useSite } from '../../site.tsx'
import { TextField } from '../form-fields.tsx'
import { AnalyticsSteps } from './AnalyticsSteps.tsx'
import { ConsentSteps } from './ConsentSteps.tsx'
import { type LiveCheck, type SnippetState, tellCheck } from './form.ts'
import { snippetHostings } from './hosting.ts'
import { LoopbackNotice } from './LoopbackNotice.tsx'

interface SnippetPageProps {
  state: SnippetState
  /** The tags of the property; null until there is one. */
  tags: { tag: string; pinned_tag: string } | null
  /** Whether properties can be listed and created. */
  isSignedIn: boolean
}

export const SnippetPage = ({ state, tags, isSignedIn }: SnippetPageProps): JSX.Element => (
  <>
    <h1>Set up the tag</h1>
    <p class="lead">
      The tag loads a script of about 2 kB that reports visits from AI surfaces, also to your
      analytics. It sends nothing for other visitors and sets no cookie:{' '}
      <Link to="/help/kept">what it sends, and what is kept</Link>.
    </p>
    <div class="columns steps">
      <form method="get" class="card">
        <h2>1. Your tag</h2>
        <TextField
          name="id"
          label="Property id"
          required
          form={state}
          hint={
            isSignedIn ? (
              <>
                It identifies your storefront. <Link to="/properties">Your properties</Link>
              </>
            ) : (
              <>
                It identifies your storefront. <Link to="/properties">Sign in</Link> to see yours or
                to create one.
              </>
            )
          }
        />
        <button type="submit" class="button button-primary">
          Show the tag
        </button>
      </form>
      <section aria-labelledby="place-title">
        <h2 id="place-title">2. Where to put it</h2>
        {tags === null ? (
          <p class="quiet">The tag appears here once you have entered its id.</p>
        ) : (
          <Placing {...tags} />
        )}
      </section>
      <form method="post" class="card">
        <h2>3. Check that it is live</h2>
        <TextField name="url" label="Page" required inputMode="url" form={state} />
        <input type="hidden" name="id" value={state.values.id} />
        <button type="submit" class="button">
          Check the page
        </button>
        {state.check !== null && <Check check={state.check} id={state.id} />}
      </form>
    </div>
    <p>
      Next: <Link to="/tools/orders">join orders to visits</Link>, so that the report shows what
      each AI surface sells. The code is there for Shopify, WooCommerce, Next.js and others.
    </p>
  </>
)

function Placing({ tag, pinned_tag }: { tag: string; pinned_tag: string }): JSX.Element {
  return (
    <>
      <CodeBlock label="The tag" code={tag} />
      <LoopbackNotice />
      {snippetHostings(tag).map(({ platform, steps, code }) => (
        <details key={platform}>
          <summary>{platform}</summary>
          <p>{steps}</p>
          {code !== undefined && <CodeBlock label={code.label} code={code.text} />}
        </details>
      ))}
      <ConsentSteps tag={tag} />
      <AnalyticsSteps />
      <details>
        <summary>Pinned to one version</summary>
        <p>
          The browser runs only the code of this version. You have to update the tag for each new
          version.
        </p>
        <CodeBlock label="The pinned tag" code={pinned_tag} />
      </details>
      <p>
        Does your site send a Content-Security-Policy? Add the host of the tag to{' '}
        <code>script-src</code> and <code>connect-src</code>. Do you serve the script yourself? Add{' '}
        <code>data-endpoint</code> to the tag, with the address that the tag above loads and{' '}
        <code>sessions</code> in place of <code>attribution.js</code>.
      </p>
    </>
  )
}

function Check({ check, id }: { check: LiveCheck; id: string | null }): JSX.Element {
  const { baseUrl } = useSite()
  const { kind, title, points } = tellCheck(check, { cdn: baseUrl, id })
  return (
    <Notice kind={kind} title={title}>
      {points.length > 1 ? (
        <ul>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      ) : (
        points.map((point) => <p key={point}>{point}</p>)
      )}
    </Notice>
  )
}
