import type { JSX } from 'preact'
import type { GapRule } from '../../../shared/audit/checks/index.ts'
import { EVIDENCE_READS } from '../../../shared/audit/evidence.ts'
import { sourcesOf } from '../../../shared/audit/gap/sources.ts'
import { remediesOf } from '../../../shared/audit/platforms/remedies.ts'
import type { ExampleLanguage } from '../../../shared/audit/rule-words.ts'
import { SEVERITY_MEANS } from '../../../shared/audit/vocabulary.ts'
import { gapWords } from '../../../shared/audit/words.ts'
import { wordsOf } from '../../../shared/view/audit/check-names.ts'
import { RemedyDetails } from '../../../shared/view/audit/GapDetails.tsx'
import { SeverityBadge } from '../../../shared/view/audit/Severity.tsx'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Link } from '../site.tsx'

const LANGUAGES: Record<ExampleLanguage, string> = {
  http: 'HTTP',
  json: 'JSON',
  html: 'HTML',
  xml: 'XML',
  text: '',
}

export function GapPage({ rule }: { rule: GapRule }): JSX.Element {
  const { gap, check, severity, label, fix, tool, reads, authority } = rule
  const { meaning, why, language, before, after } = gapWords(gap)
  const named = (when: string) =>
    LANGUAGES[language] === '' ? when : `${when} (${LANGUAGES[language]})`
  return (
    <article>
      <p class="crumbs">
        <Link to="/gaps">Gaps</Link> / <Link to={`/gaps/all?check=${check}`}>{wordsOf(check)}</Link>
      </p>
      <h1>{label}</h1>
      <p>
        <SeverityBadge severity={severity} /> <code>{gap}</code>
      </p>
      <div class="prose">
        <h2>What it means</h2>
        <p>{meaning}</p>
        <h2>Why it matters</h2>
        <p>{why}</p>
        <h2>How to fix it</h2>
        <p>{fix}</p>
        {remediesOf(gap).map((each) => (
          <RemedyDetails key={each.name} {...each} level={3} />
        ))}
        {tool !== null && (
          <p class="no-print">
            <Link class="button button-primary" to={`/tools/${tool}`}>
              {TOOL_LABELS[tool]}
            </Link>
          </p>
        )}
      </div>
      <div class="examples">
        <CodeBlock label={named('Before')} code={before} />
        <CodeBlock label={named('After')} code={after} />
      </div>
      <div class="prose">
        <h2>How it was judged</h2>
        <dl class="facts">
          <dt>Check</dt>
          <dd>{wordsOf(check)}</dd>
          <dt>Reads</dt>
          <dd>{reads.map((key) => EVIDENCE_READS[key]).join('; ')}</dd>
          <dt>Severity</dt>
          <dd>
            {wordsOf(severity)}: {SEVERITY_MEANS[severity]}
          </dd>
          <dt>Sources</dt>
          <dd>
            {sourcesOf(authority).map(({ title, url }, index) => (
              <span key={title}>
                {index > 0 && '; '}
                {url === null ? title : <a href={url}>{title}</a>}
              </span>
            ))}
          </dd>
        </dl>
        <p class="quiet">
          An audit does not judge what it could not see: an endpoint that did not respond in time,
          or blocked us, leaves this check open and costs no points.
        </p>
      </div>
    </article>
  )
}

const TOOL_LABELS = {
  manifest: 'Create the manifest',
  schema: 'Create the markup',
  robots: 'Let AI agents in',
  snippet: 'Set up the tag',
  validate: 'Check the manifest',
} as const
