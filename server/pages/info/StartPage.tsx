import type { JSX } from 'preact'
import { Link } from '../site.tsx'

export const StartPage = ({ hasExtension }: { hasExtension: boolean }): JSX.Element => (
  <>
    <section class="hero">
      <h1>Can AI agents buy from your store?</h1>
      <p class="lead">
        Aisle checks whether AI agents can find, understand and buy from a store, generates the
        manifest that lets them, and shows which visits and orders they brought.
      </p>
    </section>
    <div class="doors">
      <section class="card">
        <h2>Audit a store</h2>
        <p>
          A score from 0 to 100, and a list of gaps, worst first: what was found, where, and how to
          fix it.
        </p>
        <p>
          <Link class="button button-primary" to="/audits">
            Run an audit
          </Link>
        </p>
        <p>
          <Link to="/help#audit">Through the API</Link>,{' '}
          <Link to="/gaps">every gap that it looks for</Link>
        </p>
      </section>
      <section class="card">
        <h2>Publish the manifest</h2>
        <p>
          The file at /.well-known/ucp tells agents where your catalog and your checkout are. Fill
          in a form and download it.
        </p>
        <p>
          <Link class="button button-primary" to="/tools/manifest">
            Create the manifest
          </Link>
        </p>
        <p>
          <Link to="/tools/validate">Check an existing one</Link>
        </p>
      </section>
      <section class="card">
        <h2>See what AI brings</h2>
        <p>
          A small script and one call from your server show the sessions, orders and revenue that
          came from AI surfaces.
        </p>
        <p>
          <Link class="button button-primary" to="/tools/snippet">
            Set up the snippet
          </Link>
        </p>
        <p>
          <Link to="/help#report">Report orders from your server</Link>, then{' '}
          <Link to="/report">see the report</Link>
        </p>
      </section>
    </div>
    <p>
      More: <Link to="/tools/schema">markup for product pages</Link>,{' '}
      {hasExtension && (
        <>
          <Link to="/extension">the browser extension</Link>,{' '}
        </>
      )}
      <Link to="/docs">the API</Link>, <Link to="/help">how to get a key</Link>.
    </p>
  </>
)
