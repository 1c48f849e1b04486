import type { JSX } from 'preact'
import { GAP_RULES } from '../../../shared/audit/checks/index.ts'
import {
  CHECK_NAMES,
  type CheckName,
  SEVERITIES,
  SEVERITY_MEANS,
} from '../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../shared/view/audit/check-names.ts'
import { SeverityBadge } from '../../../shared/view/audit/Severity.tsx'
import { capital } from '../../../shared/web/text/capital.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { Link } from '../site.tsx'

/** What a check reads, as a merchant asks it. */
const ASKS: Readonly<Record<CheckName, string>> = {
  well_known:
    'Do agents get in, and do they find the file in which your store says what it offers?',
  catalog: 'Do agents get your products with the right prices and stock?',
  checkout: 'Can an agent buy, and is it charged what it was told?',
  schema: 'Do your product pages say in their markup what people see on them?',
  feed: 'Does your product feed say the same as your pages?',
  attribution: 'Is the tag in your pages, so that visits from AI are counted?',
  entity: 'Is it clear who you are: name, logo, contact, address?',
  acp: 'Can ChatGPT buy through the Agentic Commerce Protocol?',
  pages: 'Can an agent with a browser buy through your pages?',
}

/** What an audit looks for, in short; each gap has a page of its own. */
export function GapsPage(): JSX.Element {
  return (
    <article class="spaced">
      <h1>Gaps</h1>
      <p class="lead">
        A gap is something that keeps AI agents from finding, understanding or buying what you sell.
        An audit looks for {GAP_RULES.length} of them, and shows you those that your store has.
      </p>
      <p>
        <Link class="button button-primary" to="/">
          Audit your store
        </Link>
      </p>
      <h2>What an audit looks at</h2>
      <ul class="operations">
        {CHECK_NAMES.map((check) => {
          const rules = GAP_RULES.filter((rule) => rule.check === check)
          const critical = rules.filter(({ severity }) => severity === 'critical').length
          return (
            <li key={check}>
              <span>{ASKS[check]}</span>
              <span>
                <Link to={`/gaps/all?check=${check}`}>
                  {wordsOf(check)}: {counted(rules.length, 'gap')}
                </Link>
                {critical > 0 && `, ${critical} critical`}
              </span>
            </li>
          )
        })}
      </ul>
      <h2>How bad it is</h2>
      <dl class="facts">
        {SEVERITIES.map((severity) => (
          <>
            <dt>
              <SeverityBadge severity={severity} />
            </dt>
            <dd>
              {capital(SEVERITY_MEANS[severity])}.{' '}
              <Link to={`/gaps/all?severity=${severity}&sort=points`}>
                {counted(GAP_RULES.filter((rule) => rule.severity === severity).length, 'gap')}
              </Link>
            </dd>
          </>
        ))}
      </dl>
      <h2>For developers</h2>
      <p>
        <Link to="/gaps/all">All gaps in one table</Link>, with what each costs, rests on and is
        proved by; the same for programs is <Link to="/gaps.json">gaps.json</Link>.
      </p>
    </article>
  )
}
