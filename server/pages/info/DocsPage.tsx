import type { JSX } from 'preact'
import { Link, useSite } from '../site.tsx'

export function DocsPage(): JSX.Element {
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
