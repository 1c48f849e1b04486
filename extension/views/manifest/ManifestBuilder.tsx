import type { ManifestValues } from '../../../shared/manifest/form.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { Field } from '../../../shared/view/form/Field.tsx'
import { useApp } from '../app/app-state.ts'
import { useFocusInvalid } from '../app/focus.ts'
import { LiveRegion } from '../app/LiveRegion.tsx'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { BuiltManifest } from './BuiltManifest.tsx'
import { specEndpoints } from './spec-endpoints.ts'
import { useManifestForm } from './use-manifest-form.ts'

const ENDPOINTS = [
  { name: 'catalog_endpoint', label: 'Catalog endpoint', optional: false },
  { name: 'checkout_endpoint', label: 'Checkout endpoint', optional: false },
  { name: 'shipping_endpoint', label: 'Shipping endpoint', optional: true },
  { name: 'orders_endpoint', label: 'Orders endpoint', optional: true },
] as const

const LISTS = [
  {
    name: 'supports_filters',
    label: 'Filters',
    hint: 'Names separated by commas, such as category, price_range',
  },
  {
    name: 'supported_payment_methods',
    label: 'Payment methods',
    hint: 'Names separated by commas, such as card, upi',
  },
] as const

/** The form for the file under /.well-known/ucp, and the file. */
export function ManifestBuilder() {
  const { server } = useApp()
  const { values, change, errors, task, build } = useManifestForm()
  const form = useFocusInvalid(errors)
  const examples = specEndpoints(values.domain || 'shop.example')
  const hasErrors = Object.keys(errors).length > 0
  const input = (name: TextName, label: string, rest: Rest = {}) => (
    <Field
      key={name}
      id={`manifest-${name}`}
      label={label}
      hint={rest.hint}
      optional={rest.optional}
      error={errors[name]}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={rest.example}
          value={values[name]}
          onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      )}
    </Field>
  )
  return (
    <section class="card">
      <h2>Create the file</h2>
      <form
        class="stack"
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          build()
        }}
      >
        <Field id="manifest-format" label="Format" error={errors.format}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.format}
              onChange={({ currentTarget }) =>
                change({ format: currentTarget.value === 'ucp' ? 'ucp' : '1.0' })
              }
            >
              <option value="1.0">Manifest, version 1.0</option>
              <option value="ucp">Official UCP profile, {UCP.newest}</option>
            </select>
          )}
        </Field>
        {input('domain', 'Domain', { hint: 'Without https://, such as shop.example' })}
        {ENDPOINTS.map(({ name, label, optional }) =>
          input(name, label, { optional, example: examples[name] }),
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={values.supports_search}
            onChange={({ currentTarget }) => change({ supports_search: currentTarget.checked })}
          />
          The catalog can be searched with ?q=
        </label>
        {LISTS.map(({ name, label, hint }) => input(name, label, { hint, optional: true }))}
        <div class="actions">
          <button type="submit" class="button button-primary" disabled={task.is === 'running'}>
            Create the file
          </button>
        </div>
        <p class="quiet">
          {server === null
            ? 'The file is created in your browser; nothing is sent.'
            : `This form is sent to ${server.name}.`}
        </p>
      </form>
      <LiveRegion
        text={
          hasErrors
            ? 'Correct the fields marked above.'
            : task.is === 'running'
              ? 'Creating the file…'
              : task.is === 'done'
                ? 'The file is ready.'
                : ''
        }
      />
      {task.is === 'failed' && (
        <FailureNotice
          failure={task.failure}
          at={task.at}
          onRetry={build}
          withDetails={!hasErrors}
        />
      )}
      {task.is === 'done' && <BuiltManifest file={task.value} />}
    </section>
  )
}

type TextName = Exclude<keyof ManifestValues, 'format' | 'supports_search'>

interface Rest {
  hint?: string
  optional?: boolean
  example?: string
}
