import { isUnjudged, type Reachability } from '../../../shared/manifest/validation.ts'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { Judged } from './use-validation.ts'

/** The result for a file: each error at its field, warnings, and which endpoints answer. */
export function ValidationView({ judged: { url, isLocal, validation } }: { judged: Judged }) {
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings, reachability } = validation
  const reached = Object.entries(reachability)
  return (
    <div class="stack">
      <Notice
        kind={valid ? 'success' : 'error'}
        title={valid ? 'The file is valid' : 'The file is not valid'}
      >
        {url !== null && <p class="wild">{url}</p>}
        <p>Format: {dialect === 'unknown' ? 'not a version that agents know' : dialect}</p>
        <p>
          {shoppable
            ? 'Agents can shop with it'
            : isUnjudged(validation)
              ? shoppable_reason
              : `Agents cannot shop with it: ${shoppable_reason}`}
        </p>
        <p>
          Errors: {errors.length}. Warnings: {warnings.length}.
        </p>
        {isLocal && <p>Checked in your browser; nothing was sent. Endpoints were not tested.</p>}
      </Notice>
      {errors.length > 0 && (
        <section>
          <h3>Errors</h3>
          <dl class="facts">
            {errors.slice(0, SHOWN).map(({ field, code, message }, index) => (
              <div key={index}>
                <dt class="wild">
                  <code>{field}</code>
                </dt>
                <dd class="wild">
                  {message} <span class="tag">{code}</span>
                </dd>
              </div>
            ))}
          </dl>
          <More count={errors.length - SHOWN} />
        </section>
      )}
      {warnings.length > 0 && (
        <section>
          <h3>Warnings</h3>
          <ul>
            {warnings.slice(0, SHOWN).map((warning) => (
              <li key={warning} class="wild">
                {warning}
              </li>
            ))}
          </ul>
          <More count={warnings.length - SHOWN} />
        </section>
      )}
      {reached.length > 0 && (
        <section>
          <h3>Endpoints</h3>
          <dl class="facts pairs">
            {reached.map(([endpoint, reach]) => (
              <div key={endpoint}>
                <dt>
                  <code>{endpoint}</code>
                </dt>
                <dd>{REACHES[reach]}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

/** A hostile file has thousands of errors; the first ones are enough. */
const SHOWN = 50

const REACHES: Record<Reachability, string> = {
  reachable: 'answers',
  unreachable: 'does not answer',
  blocked: 'blocks our requests',
  not_checked: 'not tested',
}

function More({ count }: { count: number }) {
  return count > 0 ? <p class="quiet">and {count} more</p> : null
}
