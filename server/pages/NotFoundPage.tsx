import type { JSX } from 'preact'
import { Link } from './site.tsx'

export const NotFoundPage = (): JSX.Element => (
  <article class="prose">
    <h1>Page not found</h1>
    <p>The address may be outdated or mistyped.</p>
    <ul>
      <li>
        <Link to="/">What this service does</Link>
      </li>
      <li>
        <Link to="/tools">Tools</Link>
      </li>
      <li>
        <Link to="/gaps">Every gap that an audit can find</Link>
      </li>
      <li>
        <Link to="/help">Help</Link>
      </li>
    </ul>
  </article>
)
