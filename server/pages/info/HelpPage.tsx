import type { JSX } from 'preact'
import type { OperatorHelp } from '../../config.ts'
import { Link } from '../site.tsx'

/** What a merchant needs to begin with; the rest has pages of its own. */
export function HelpPage({ help }: { help: OperatorHelp }): JSX.Element {
  return (
    <article class="prose">
      <h1>Help</h1>
      <p class="lead">
        Aisle shows whether AI agents such as ChatGPT can find, understand and buy from your store,
        what to fix first, and what these agents bring you.
      </p>
      <h2>Which page answers what</h2>
      <dl class="facts">
        <dt>Can ChatGPT sell my things?</dt>
        <dd>
          The first sentence of an audit. <Link to="/">Audit your store</Link>: no key is needed.
        </dd>
        <dt>What do I fix first, and why?</dt>
        <dd>The three gaps below that sentence. Each says why, how, and what it brings.</dd>
        <dt>Did it help?</dt>
        <dd>
          <Link to="/audits">Audits</Link> shows what is new, fixed and still open since the last
          one.
        </dd>
        <dt>What did AI bring last month?</dt>
        <dd>
          <Link to="/report">The report</Link>: visits, orders and revenue from each AI product.
        </dd>
        <dt>Is anything broken today?</dt>
        <dd>
          <Link to="/watches">Watches</Link> audit your store around the clock, and send an alert
          when something breaks.
        </dd>
      </dl>
      <h2>Set it up</h2>
      <ol>
        <li>
          <Link to="/">Audit your store</Link>, and close what it shows.
        </li>
        <li>
          <Link to="/tools/snippet">Put the tag into your pages</Link>. It reports visits that an AI
          product sent, and nothing of others.
        </li>
        <li>
          <Link to="/tools/orders">Report your orders</Link>: the page has the code for your
          platform. An order of a reported visit counts for the AI product that sent it.
        </li>
        <li>
          <Link to="/watches">Watch your store</Link>, and choose where alerts go.
        </li>
      </ol>
      <KeyHelp help={help} />
      <h2>Words</h2>
      <dl class="facts">
        <dt>Gap</dt>
        <dd>
          Something that keeps agents from your store. <Link to="/gaps">All of them</Link>.
        </dd>
        <dt>Audit</dt>
        <dd>One reading of your store, with a score from 0 to 100 and its gaps.</dd>
        <dt>Incident</dt>
        <dd>A gap of a watched store, from when to when it was open.</dd>
        <dt>Walk</dt>
        <dd>
          A purchase as an agent makes it, step by step. One that only looks pays nothing, and
          cancels what it has opened.
        </dd>
        <dt>Tag</dt>
        <dd>The line in your pages that reports visits from AI.</dd>
        <dt>Manifest</dt>
        <dd>The file in which your store tells agents what it offers.</dd>
        <dt>Key</dt>
        <dd>What you sign in with, and what your programs call Aisle with.</dd>
      </dl>
      <h2>More</h2>
      <ul>
        <li>
          <Link to="/help/kept">What is kept of visitors, buyers and you</Link>, for your privacy
          notice.
        </li>
        <li>
          For developers: <Link to="/docs">the API</Link>, with an example of every call.
        </li>
        <li>
          For operators of this service: <Link to="/help/operator">keys and operation</Link>.
        </li>
      </ul>
    </article>
  )
}

function KeyHelp({ help: { text, email } }: { help: OperatorHelp }): JSX.Element {
  return (
    <>
      <h2 id="key">Get a key</h2>
      <p>
        A key belongs to your stores: to their reports, audits, watches and walks. It begins with{' '}
        <code>aisle_live_</code>. <Link to="/sign-in">Sign in</Link> with it here, and make others
        for people and programs on the page <Link to="/keys">Keys</Link>. Anyone who has your key
        has the same access, so keep it secret. An audit and the <Link to="/tools">tools</Link> do
        not need one.
      </p>
      {text !== null && <p class="operator-words">{text}</p>}
      {email !== null && (
        <p>
          Write to <a href={`mailto:${email}`}>{email}</a> and name your domains.
        </p>
      )}
      {text === null && email === null && (
        <p>Ask the operator of this service for one, and name your domains.</p>
      )}
    </>
  )
}
