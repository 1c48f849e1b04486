import type { JSX } from 'preact'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Link } from '../site.tsx'
import type { ApiGroup } from './operations.ts'

interface OperationListPageProps {
  groups: readonly ApiGroup[]
  /** A first call, for a shell. */
  firstCall: string | null
  isSignedIn: boolean
}

/** Where the calls of a group stand on the page. */
export const anchorOf = (group: string): string => `${group.toLowerCase()}-calls`

/** Every call of the API, by subject; each has its own page. */
export function OperationListPage({
  groups,
  firstCall,
  isSignedIn,
}: OperationListPageProps): JSX.Element {
  return (
    <article class="spaced">
      <h1>API</h1>
      <p class="lead">
        Every call has a page with an example to run, its fields and its answers.{' '}
        <Link to="/docs/rules">Rules of all calls</Link>: keys, limits, errors.{' '}
        <Link to="/openapi.json">openapi.json</Link> is the same for programs.
      </p>
      <h2>A first call</h2>
      {isSignedIn ? (
        <p>
          With your key and your store. The end of a key is only where you keep it:{' '}
          <Link to="/keys">make another</Link> if you have lost it.
        </p>
      ) : (
        <p>
          <Link to="/sign-in?next=/docs">Sign in</Link>, and the examples have your key and your
          store. No key yet? <Link to="/help#key">How to get one</Link>.
        </p>
      )}
      {firstCall !== null && <CodeBlock label="Shell" code={firstCall} />}
      {groups.map(({ name, about, operations }) => (
        <section key={name}>
          <h2 id={anchorOf(name)}>{name}</h2>
          <p>{about}.</p>
          <ul class="operations">
            {operations.map(({ id, method, path, title }) => (
              <li key={id}>
                <Link to={`/docs/${id}`}>{title}</Link>
                <span class="operation wild">
                  <code class="method">{method}</code> <code>{path}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  )
}
