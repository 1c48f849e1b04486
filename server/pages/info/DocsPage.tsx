import type { JSX } from 'preact'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Link, useSite } from '../site.tsx'

interface DocsPageProps {
  /** A first call of who is signed in. */
  firstCall?: string | null | undefined
}

export function DocsPage({ firstCall = null }: DocsPageProps): JSX.Element {
  const { path } = useSite()
  return (
    <>
      <h1>API</h1>
      <p class="lead">
        Every call with its fields and answers. <Link to="/help">Help</Link> has the first calls;{' '}
        <Link to="/openapi.json">openapi.json</Link> is the same for programs, and{' '}
        <Link to="/decisions">Decisions</Link> says what Aisle does where the specification leaves
        things open.
      </p>
      {firstCall !== null && (
        <>
          <p>
            A first call with your key. Its end is only where you keep it:{' '}
            <Link to="/keys">make another key</Link> if you have lost it.
          </p>
          <CodeBlock label="Shell" code={firstCall} />
        </>
      )}
      <noscript>
        <p>
          The list of calls needs JavaScript. <Link to="/openapi.json">openapi.json</Link> holds all
          that it shows.
        </p>
      </noscript>
      <div id="swagger" data-url={path('/openapi.json')} />
    </>
  )
}
