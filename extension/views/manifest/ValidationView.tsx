import { isUnjudged, type Reachability } from '../../../shared/manifest/validation.ts'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { MessageKey } from '../../texts/messages.ts'
import { useApp } from '../app/app-state.ts'
import type { Judged } from './use-validation.ts'

/** The result for a file: each error at its field, warnings, and which endpoints answer. */
export function ValidationView({ judged: { url, isLocal, validation } }: { judged: Judged }) {
  const { text } = useApp()
  const { valid, dialect, shoppable, shoppable_reason, errors, warnings, reachability } = validation
  const reached = Object.entries(reachability)
  return (
    <div class="stack">
      <Notice
        kind={valid ? 'success' : 'error'}
        title={text(valid ? 'validate_valid' : 'validate_invalid')}
      >
        {url !== null && <p class="wild">{url}</p>}
        <p>
          {text(
            'validate_dialect',
            dialect === 'unknown' ? text('validate_dialect_unknown') : dialect,
          )}
        </p>
        <p>
          {shoppable
            ? text('validate_shoppable')
            : isUnjudged(validation)
              ? shoppable_reason
              : text('validate_not_shoppable', shoppable_reason)}
        </p>
        <p>{text('validate_status', errors.length, warnings.length)}</p>
        {isLocal && <p>{text('validate_here')}</p>}
      </Notice>
      {errors.length > 0 && (
        <section>
          <h3>{text('validate_errors')}</h3>
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
          <h3>{text('validate_warnings')}</h3>
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
          <h3>{text('validate_reach')}</h3>
          <dl class="facts pairs">
            {reached.map(([endpoint, reach]) => (
              <div key={endpoint}>
                <dt>
                  <code>{endpoint}</code>
                </dt>
                <dd>{text(REACHES[reach])}</dd>
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

const REACHES: Record<Reachability, MessageKey> = {
  reachable: 'reach_reachable',
  unreachable: 'reach_unreachable',
  blocked: 'reach_blocked',
  not_checked: 'reach_not_checked',
}

function More({ count }: { count: number }) {
  const { text } = useApp()
  return count > 0 ? <p class="quiet">{text('found_more', count)}</p> : null
}
