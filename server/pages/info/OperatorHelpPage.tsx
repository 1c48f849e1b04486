import type { JSX } from 'preact'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Link } from '../site.tsx'

/** What an operator needs of the pages; the rest is in the manual that the program comes with. */
export function OperatorHelpPage(): JSX.Element {
  return (
    <article class="prose">
      <p class="crumbs">
        <Link to="/help">Help</Link>
      </p>
      <h1>Running this service</h1>
      <h2>Keys for others</h2>
      <p>
        The first start makes one key with full access: it is shown in the terminal, or stands in a
        file that the log names. Create more keys on that machine; in a checkout, begin the line
        with <code>npx</code>:
      </p>
      <CodeBlock
        label="Shell of the operator"
        code="aisle keys create --scopes audit,manifest,report:read,report:write --domains shop.example"
      />
      <p>
        <code>aisle keys list</code> shows when each was last used, <code>aisle keys revoke</code>{' '}
        ends one. <Link to="/docs/rules#scopes">What scopes allow</Link>. The settings{' '}
        <code>HELP_TEXT</code> and <code>HELP_EMAIL</code> say on the help page how to ask you for a
        key.
      </p>
      <h2>Is it well?</h2>
      <p>
        <Link to="/docs/livez">GET /livez</Link> says whether the process is alive, and{' '}
        <Link to="/docs/readyz">GET /readyz</Link> whether it can take requests. Metrics, alerts,
        settings, backup and upgrades: the folder <code>docs/operator</code> of the program.
      </p>
      <h2>What it stores</h2>
      <p>
        <Link to="/help/kept">What is kept of visitors, buyers and you</Link>, and for how long.
      </p>
      <h2>Why it does what it does</h2>
      <p>
        <Link to="/decisions">Decisions</Link>: what Aisle does where the specification leaves
        things open.
      </p>
    </article>
  )
}
