import type { JSX } from 'preact'
import { Link } from '../site.tsx'

/** What the extension keeps and sends: the address that browser stores ask for. */
export function ExtensionPrivacyPage(): JSX.Element {
  return (
    <article class="prose">
      <h1>Privacy of the browser extension</h1>
      <p class="lead">
        The extension has no service of its own. It does not count visitors and sells nothing. What
        it sends goes to the server whose address you enter, and only when you ask for it.
      </p>
      <h2>What it reads</h2>
      <p>
        The page that is open, after you click its button on that page: the markup, and what is
        shown. The audit of that page is made in your browser, and nothing is sent. It reads no
        other tab, no history, no cookies and no form that you fill in.
      </p>
      <h2>What it keeps, on this computer</h2>
      <ul>
        <li>The address of your server and its key, until you remove them in the options.</li>
        <li>The audits of pages, for the history, until you delete them or the extension.</li>
      </ul>
      <p>It does not run in private windows.</p>
      <h2>What it sends, to your server alone</h2>
      <ul>
        <li>The name of a store that you have audited there, and the key.</li>
        <li>What you enter for a manifest.</li>
        <li>The question for your own storefronts' report, when you open that view.</li>
      </ul>
      <p>
        What a server keeps is its operator's matter. Of this one:{' '}
        <Link to="/help/kept">what is kept of visitors, buyers and you</Link>.
      </p>
      <h2>Its permissions</h2>
      <dl>
        <dt>
          <code>activeTab</code>
        </dt>
        <dd>The page on which you click the button may be read, until you leave it.</dd>
        <dt>
          <code>scripting</code>
        </dt>
        <dd>Reads that page, and points at the place of a gap in it.</dd>
        <dt>
          <code>storage</code>
        </dt>
        <dd>Keeps the server's address, the key and the history on this computer.</dd>
      </dl>
      <p>It asks for no access to sites beyond that, and loads no code from anywhere.</p>
    </article>
  )
}
