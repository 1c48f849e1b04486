import type { JSX } from 'preact'
import { CodeBlock } from '../../../shared/view/CodeBlock.tsx'
import { Link } from '../site.tsx'
import { WithCode } from '../WithCode.tsx'
import { anchorOf } from './OperationListPage.tsx'
import type { ApiCall, BodyField } from './operations.ts'

interface OperationPageProps {
  operation: ApiCall
  /** For a shell, one for each example of its body. */
  examples: readonly { name: string | null; code: string }[]
  isSignedIn: boolean
}

/** One call of the API: an example to run, what it takes, what it answers, when it is refused. */
export function OperationPage(props: OperationPageProps): JSX.Element {
  const { operation, examples, isSignedIn } = props
  const { id, method, path, title, about, group, scopes, parameters, body, answer } = operation
  return (
    <article class="spaced">
      <p class="crumbs">
        <Link to="/docs">API</Link> / <Link to={`/docs#${anchorOf(group)}`}>{group}</Link>
      </p>
      <h1>{title}</h1>
      <p class="operation wild">
        <code class="method">{method}</code> <code>{path}</code>
      </p>
      <p>
        <Scopes of={scopes} />
      </p>
      <h2>Example</h2>
      {examples.map(({ name, code }) => (
        <CodeBlock key={code} label={name === null ? 'Shell' : `Shell: ${name}`} code={code} />
      ))}
      {!isSignedIn && (
        <p class="quiet">
          <Link to={`/sign-in?next=/docs/${id}`}>Sign in</Link>, and the example has your key and
          your store.
        </p>
      )}
      {about !== null && (
        <div class="prose">
          <h2>What it does</h2>
          <p>
            <WithCode text={about} />
          </p>
        </div>
      )}
      <h2>What it takes</h2>
      {parameters.length === 0 && body === null && <p>Nothing but its address.</p>}
      {parameters.length > 0 && (
        <FieldTable
          title="Parameters"
          rows={parameters.map((each) => ({ ...each, type: `${each.place}: ${each.type}` }))}
        />
      )}
      {body !== null && body.fields.length > 0 && (
        <>
          {parameters.length > 0 && <h3>Its body</h3>}
          <FieldTable title="Fields of the body" rows={body.fields} />
        </>
      )}
      <h2>What it answers</h2>
      <p>
        <WithCode text={answer.about.replace(/\.$/, '')} />.
        {answer.types.length > 0 && (
          <>
            {' '}
            As <code>{answer.types.join(', ')}</code>.
          </>
        )}
      </p>
      {answer.example !== null && <AnswerExample code={answer.example} />}
      {answer.fields.length > 0 && (
        <details>
          <summary>All {answer.fields.length} fields of the answer</summary>
          <FieldTable title="Fields of the answer" rows={answer.fields} />
        </details>
      )}
      <h2>When it is refused</h2>
      <table>
        <caption class="sr-only">Statuses of refusals</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {operation.refusals.map(({ status, about: when }) => (
            <tr key={status}>
              <th scope="row">{status}</th>
              <td>
                <WithCode text={when} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        The body of a refusal, limits and keys: <Link to="/docs/rules">rules of all calls</Link>.
      </p>
    </article>
  )
}

const linesIn = (code: string): number => code.split('\n').length

/** A longer example is folded: what follows it is looked for as often. */
const MOST_LINES = 30

const AnswerExample = ({ code }: { code: string }): JSX.Element =>
  linesIn(code) <= MOST_LINES ? (
    <CodeBlock label="JSON" code={code} />
  ) : (
    <details>
      <summary>An example, {linesIn(code)} lines</summary>
      <CodeBlock label="JSON" code={code} />
    </details>
  )

/** The scopes of which any set will do. */
function Scopes({ of }: { of: ApiCall['scopes'] }): JSX.Element {
  const [first, ...more] = of
  if (first === undefined) return <>It needs no key.</>
  return (
    <>
      It needs a key with the scope <ScopeNames of={first} />
      {more.map((each) => (
        <>
          , for some requests with <ScopeNames of={each} />
        </>
      ))}
      . <Link to="/docs/rules#scopes">What scopes allow</Link>.
    </>
  )
}

const ScopeNames = ({ of }: { of: readonly string[] }): JSX.Element => (
  <>
    {of.map((scope, at) => (
      <>
        {at > 0 && ' and '}
        <code>{scope}</code>
      </>
    ))}
  </>
)

function FieldTable({ title, rows }: { title: string; rows: readonly BodyField[] }): JSX.Element {
  return (
    <table class="fields">
      <caption class="sr-only">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">About</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, type, isRequired, about }) => (
          <tr key={name}>
            <th scope="row" class="wild">
              <code>{name}</code>
            </th>
            <td data-label="Type">
              {type}
              {isRequired && <strong> required</strong>}
            </td>
            <td data-label="About">
              <WithCode text={about} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
