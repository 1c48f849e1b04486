import type { JSX } from 'preact'
import { capital } from '../../../shared/web/text/capital.ts'
import { englishCount } from '../../../shared/web/text/english-count.ts'
import { Link } from '../site.tsx'
import { WithCode } from '../WithCode.tsx'
import { type DecisionSubject, READERS } from './decisions.ts'

/** The subjects of the decisions, by who reads them. */
export function DecisionsPage({ subjects }: { subjects: readonly DecisionSubject[] }): JSX.Element {
  return (
    <article class="prose">
      <h1>Decisions</h1>
      <p class="lead">
        The specification leaves some things open. This is what Aisle does there, and why. It is
        collected from the source code, so it is what the running version does.
      </p>
      {Object.entries(READERS).map(([reader, title]) => (
        <section key={reader}>
          <h2>{title}</h2>
          <ul>
            {subjects
              .filter((each) => each.reader === reader)
              .map((each) => (
                <li key={each.id}>
                  <Link to={`/decisions/${each.id}`}>{each.title}</Link> (
                  {englishCount(each.decisions.length)})
                </li>
              ))}
          </ul>
        </section>
      ))}
    </article>
  )
}

/** The decisions of one subject, each with the file that implements it. */
export function DecisionSubjectPage({ subject }: { subject: DecisionSubject }): JSX.Element {
  return (
    <article class="prose">
      <p class="crumbs">
        <Link to="/decisions">Decisions</Link>
      </p>
      <h1>{subject.title}</h1>
      <ul class="decisions">
        {subject.decisions.map(({ file, text }) => (
          <li key={file + text}>
            {/* In the source it follows a colon; here it is a sentence. */}
            <WithCode text={capital(text)} /> <code class="source">{file}</code>
          </li>
        ))}
      </ul>
    </article>
  )
}
