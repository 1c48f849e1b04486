import type { JSX } from 'preact'
import { capital } from '../../../shared/web/text/capital.ts'
import { Link } from '../site.tsx'
import { WithCode } from '../WithCode.tsx'
import { bySubject, type Decision } from './decisions.ts'

const idOf = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, '-')

/** The decisions where the specification is silent, each with the file that implements it. */
export function DecisionsPage({ decisions }: { decisions: readonly Decision[] }): JSX.Element {
  const subjects = bySubject(decisions)
  return (
    <article class="prose">
      <h1>Decisions</h1>
      <p class="lead">
        The specification leaves some things open. This is what Aisle does there, and why. It is
        collected from the source code, so it is what the running version does.
      </p>
      <nav aria-label="On this page">
        <ul>
          {subjects.map(([title]) => (
            <li key={title}>
              <a href={`#${idOf(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {subjects.map(([title, of]) => (
        <section key={title}>
          <h2 id={idOf(title)}>{title}</h2>
          <ul class="decisions">
            {of.map(({ file, text }) => (
              <li key={file + text}>
                {/* In the source it follows a colon; here it is a sentence. */}
                <WithCode text={capital(text)} /> <code class="source">{file}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p>
        Calls and fields: <Link to="/docs">the API</Link>. First steps: <Link to="/help">Help</Link>
        .
      </p>
    </article>
  )
}
