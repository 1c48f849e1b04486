import type { ManifestValues } from '../../../shared/manifest/form.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import { Field } from '../../../shared/view/form/Field.tsx'
import type { MessageKey } from '../../texts/messages.ts'
import { useApp } from '../app/app-state.ts'
import { useFocusInvalid } from '../app/focus.ts'
import { LiveRegion } from '../app/LiveRegion.tsx'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { BuiltManifest } from './BuiltManifest.tsx'
import { specEndpoints } from './spec-endpoints.ts'
import { useManifestForm } from './use-manifest-form.ts'

const ENDPOINTS = [
  { name: 'catalog_endpoint', label: 'manifest_catalog', optional: false },
  { name: 'checkout_endpoint', label: 'manifest_checkout', optional: false },
  { name: 'shipping_endpoint', label: 'manifest_shipping', optional: true },
  { name: 'orders_endpoint', label: 'manifest_orders', optional: true },
] as const

const LISTS = [
  { name: 'supports_filters', label: 'manifest_filters', hint: 'manifest_filters_hint' },
  { name: 'supported_payment_methods', label: 'manifest_payment', hint: 'manifest_payment_hint' },
] as const

/** The form for the file under /.well-known/ucp, and the file. */
export function ManifestBuilder() {
  const { text, server } = useApp()
  const { values, change, errors, task, build } = useManifestForm()
  const form = useFocusInvalid(errors)
  const examples = specEndpoints(values.domain || 'shop.example')
  const hasErrors = Object.keys(errors).length > 0
  const input = (name: TextName, label: MessageKey, rest: Rest = {}) => (
    <Field
      key={name}
      id={`manifest-${name}`}
      label={text(label)}
      hint={rest.hint && text(rest.hint)}
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
      <h2>{text('manifest_title')}</h2>
      <form
        class="stack"
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          build()
        }}
      >
        <Field id="manifest-format" label={text('manifest_format')} error={errors.format}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.format}
              onChange={({ currentTarget }) =>
                change({ format: currentTarget.value === 'ucp' ? 'ucp' : '1.0' })
              }
            >
              <option value="1.0">{text('manifest_format_spec')}</option>
              <option value="ucp">{text('manifest_format_ucp', UCP.newest)}</option>
            </select>
          )}
        </Field>
        {input('domain', 'manifest_domain', { hint: 'manifest_domain_hint' })}
        {ENDPOINTS.map(({ name, label, optional }) =>
          input(name, label, { optional, example: examples[name] }),
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={values.supports_search}
            onChange={({ currentTarget }) => change({ supports_search: currentTarget.checked })}
          />
          {text('manifest_search')}
        </label>
        {LISTS.map(({ name, label, hint }) => input(name, label, { hint, optional: true }))}
        <div class="actions">
          <button type="submit" class="button button-primary" disabled={task.is === 'running'}>
            {text('manifest_build')}
          </button>
        </div>
        <p class="quiet">
          {server === null ? text('manifest_sends_nothing') : text('manifest_sends', server.name)}
        </p>
      </form>
      <LiveRegion
        text={
          hasErrors
            ? text('manifest_correct')
            : task.is === 'running'
              ? text('manifest_building')
              : task.is === 'done'
                ? text('manifest_built')
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
  hint?: MessageKey
  optional?: boolean
  example?: string
}
