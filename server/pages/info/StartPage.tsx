import type { JSX } from 'preact'
import { FirstAuditForm, type FirstAuditFormProps } from '../runs/FirstAuditForm.tsx'
import { Link } from '../site.tsx'

interface StartPageProps extends FirstAuditFormProps {
  hasExtension: boolean
  /** Whether shops on this machine are audited as well. */
  hasLocalShops: boolean
}

export const StartPage = ({
  hasExtension,
  hasLocalShops,
  ...form
}: StartPageProps): JSX.Element => (
  <>
    <section class="hero">
      <h1>Can AI agents buy from your store?</h1>
      <p class="lead">
        Aisle checks whether AI agents can find, understand and buy from a store, generates the
        manifest that lets them, and shows which visits and orders they brought.
      </p>
      <FirstAuditForm {...form} />
      <p class="quiet">
        This takes a few seconds, and you need no key for a first audit.
        {hasLocalShops && ' A store on this machine is audited too: localhost:3000, with its port.'}
      </p>
    </section>
    <div class="doors">
      <section class="card">
        <h2>Audit your stores</h2>
        <p>
          A score from 0 to 100, and a list of gaps, worst first: what was found, where, and how to
          fix it. With a key you see how the score changes.
        </p>
        <p>
          <Link class="button" to="/audits">
            Open your audits
          </Link>
        </p>
        <p>
          <Link to="/docs/audit">Through the API</Link>,{' '}
          <Link to="/gaps">every gap that it can find</Link>
        </p>
      </section>
      <section class="card">
        <h2>Publish the manifest</h2>
        <p>
          The file at /.well-known/ucp tells agents where your catalog and your checkout are. Fill
          in a form and download it.
        </p>
        <p>
          <Link class="button" to="/tools/manifest">
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
          A small tag and one call from your server show the sessions, orders and revenue that came
          from AI surfaces.
        </p>
        <p>
          <Link class="button" to="/tools/snippet">
            Set up the tag
          </Link>
        </p>
        <p>
          <Link to="/tools/orders">Report your orders</Link>, then{' '}
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
      <Link to="/docs">the API</Link>, <Link to="/help#key">how to get a key</Link>.
    </p>
  </>
)
