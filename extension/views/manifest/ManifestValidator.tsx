import { Action } from '../../../shared/view/Action.tsx'
import { Field } from '../../../shared/view/form/Field.tsx'
import { useApp } from '../app/app-state.ts'
import { LiveRegion } from '../app/LiveRegion.tsx'
import { storeDomain } from '../store/store-domain.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { useValidation } from './use-validation.ts'
import { ValidationView } from './ValidationView.tsx'

/** Validates the file that the open domain publishes, or a pasted one. */
export function ManifestValidator() {
  const { text, page } = useApp()
  const { server, pasted, setPasted, problem, task, ...validate } = useValidation()
  const store = storeDomain(page.domain)
  const judged = task.is === 'done' ? task.value : null
  return (
    <section class="card">
      <h2>{text('validate_title')}</h2>
      {server === null && <p class="quiet">{text('validate_no_server')}</p>}
      {server !== null && store.is !== 'public' && (
        <p class="quiet">{text('validate_no_domain')}</p>
      )}
      {server !== null && store.is === 'public' && (
        <>
          <div class="actions">
            <Action
              label={text('validate_published', store.domain)}
              onAct={() => validate.validatePublished(server, store.domain)}
            />
          </div>
          <p class="quiet wild">
            {text('validate_sends', `https://${store.domain}/.well-known/ucp`, server.name)}
          </p>
        </>
      )}
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          validate.validatePasted()
        }}
      >
        <Field
          id="validate-text"
          label={text('validate_paste')}
          hint={text('validate_paste_hint')}
          error={problem ?? undefined}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              class="code-input"
              rows={8}
              spellcheck={false}
              value={pasted}
              onInput={({ currentTarget }) => setPasted(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <button type="submit" class="button">
            {text('validate_pasted')}
          </button>
        </div>
      </form>
      <LiveRegion text={task.is === 'running' ? text('validate_running') : ''} />
      <LiveRegion text={judged?.validation.valid ? text('validate_valid') : ''} hidden />
      {task.is === 'failed' && (
        <FailureNotice failure={task.failure} at={task.at} onRetry={validate.retry} />
      )}
      {judged !== null && <ValidationView judged={judged} />}
    </section>
  )
}
