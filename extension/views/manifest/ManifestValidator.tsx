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
  const { page } = useApp()
  const { server, pasted, setPasted, problem, task, ...validate } = useValidation()
  const store = storeDomain(page.domain)
  const judged = task.is === 'done' ? task.value : null
  return (
    <section class="card">
      <h2>Validate a file</h2>
      {server === null && (
        <p class="quiet">
          To check the published file and its endpoints, connect a server under Options.
        </p>
      )}
      {server !== null && store.is !== 'public' && (
        <p class="quiet">Open a page of your store to validate its published file.</p>
      )}
      {server !== null && store.is === 'public' && (
        <>
          <div class="actions">
            <Action
              label={`Validate the file of ${store.domain}`}
              onAct={() => validate.validatePublished(server, store.domain)}
            />
          </div>
          <p class="quiet wild">
            The address {`https://${store.domain}/.well-known/ucp`} is sent to {server.name}.
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
          label="Or paste a file"
          hint="The content of /.well-known/ucp"
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
            Validate the pasted file
          </button>
        </div>
      </form>
      <LiveRegion text={task.is === 'running' ? 'Validating…' : ''} />
      <LiveRegion text={judged?.validation.valid ? 'The file is valid' : ''} hidden />
      {task.is === 'failed' && (
        <FailureNotice failure={task.failure} at={task.at} onRetry={validate.retry} />
      )}
      {judged !== null && <ValidationView judged={judged} />}
    </section>
  )
}
