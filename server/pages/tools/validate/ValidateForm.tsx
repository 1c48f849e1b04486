import type { JSX } from 'preact'
import { isUnjudged } from '../../../../shared/manifest/validation.ts'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { counted } from '../../../../shared/web/text/english-count.ts'
import { AreaField, TextField } from '../form-fields.tsx'
import type { ValidateState, Validation } from './form.ts'

/** Two forms and a result. Rendered by the server, and again on each input. */
export function ValidateForm({ state }: { state: ValidateState }): JSX.Element {
  return (
    <div class="columns">
      <div>
        <form method="post" class="card">
          <h2>A published manifest</h2>
          <TextField
            name="url"
            label="URL"
            required
            inputMode="url"
            form={state}
            hint="Such as https://shop.example/.well-known/ucp"
          />
          <button type="submit" class="button button-primary">
            Fetch and check
          </button>
        </form>
        <form method="post" class="card">
          <h2>Manifest as text</h2>
          <AreaField
            name="manifest"
            label="Manifest"
            required
            rows={14}
            form={state}
            hint="Nothing that you paste is stored"
          />
          <button type="submit" class="button">
            Check
          </button>
        </form>
      </div>
      <section aria-labelledby="verdict-title" aria-live="polite">
        <h2 id="verdict-title">Result</h2>
        {state.validation === null ? (
          <p class="quiet">It appears here.</p>
        ) : (
          <Verdict validation={state.validation} />
        )}
      </section>
    </div>
  )
}

const LANGUAGES: Readonly<Record<string, string>> = {
  '1.0': 'manifest, version 1.0',
  unknown: 'unknown',
}

function Verdict({ validation }: { validation: Validation }): JSX.Element {
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings } = validation
  const reached = Object.entries(validation.reachability)
  return (
    <>
      <Notice
        kind={valid ? 'success' : 'error'}
        title={valid ? 'The manifest is valid' : counted(errors.length, 'error')}
      >
        <p>
          Format: {LANGUAGES[dialect] ?? `official UCP profile, version ${dialect}`}.{' '}
          {shoppable
            ? `Agents can start a purchase from it: ${shoppable_reason}`
            : isUnjudged(validation)
              ? shoppable_reason
              : `Agents cannot buy: ${shoppable_reason}`}
        </p>
      </Notice>
      {errors.length > 0 && (
        <table class="findings">
          <caption class="sr-only">Errors</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ field, message }) => (
              <tr key={field + message}>
                <th scope="row">
                  <code>{field}</code>
                </th>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {warnings.length > 0 && (
        <Notice kind="info" title="Good to know">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      {reached.length > 0 && (
        <table class="findings">
          <caption>Reachability</caption>
          <tbody>
            {reached.map(([name, reach]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{reach.replace('_', ' ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
