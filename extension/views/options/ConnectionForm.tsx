import { Action } from '../../../shared/view/Action.tsx'
import { Field } from '../../../shared/view/form/Field.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { KeyAccess } from '../../api/client.ts'
import { useApp } from '../app/app-state.ts'
import { useFocusInvalid } from '../app/focus.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { displayHost } from '../app/server.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { useConnection } from './use-connection.ts'

/** The server address and its key; saving also tests the connection. */
export function ConnectionForm() {
  const { text } = useApp()
  const [said, announce] = useAnnouncer()
  const { values, change, errors, test, save, forget, keptKeyEnd, isKept } = useConnection()
  const form = useFocusInvalid(errors)
  const host = displayHost(values.url)
  return (
    <section class="card">
      <h2>{text('options_server_title')}</h2>
      <form
        class="stack"
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          id="server-url"
          label={text('options_server')}
          hint={text('options_server_hint')}
          error={errors.url && text(errors.url)}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="url"
              autocomplete="off"
              spellcheck={false}
              value={values.url}
              onInput={({ currentTarget }) => change({ url: currentTarget.value })}
            />
          )}
        </Field>
        <Field
          id="api-key"
          label={text('options_key')}
          hint={
            keptKeyEnd === null ? text('options_key_hint') : text('options_key_kept', keptKeyEnd)
          }
          error={errors.key && text(errors.key)}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={values.key}
              onInput={({ currentTarget }) => change({ key: currentTarget.value })}
            />
          )}
        </Field>
        <div class="actions">
          <button type="submit" class="button button-primary" disabled={test.is === 'running'}>
            {text('options_test')}
          </button>
          {isKept && (
            <Action
              label={text('options_forget')}
              onAct={() => void forget().then(() => announce(text('options_forgotten')))}
            />
          )}
        </div>
      </form>
      <LiveRegion
        text={test.is === 'running' ? text('options_testing', host) : isKept ? '' : said}
      />
      <LiveRegion text={test.is === 'done' ? text('options_works', host) : ''} hidden />
      {test.is === 'failed' && (
        <FailureNotice failure={test.failure} at={test.at} onRetry={() => void save()} />
      )}
      {test.is === 'done' && (
        <Notice kind="success" title={text('options_works', host)}>
          <WhatItOpens access={test.value} />
        </Notice>
      )}
    </section>
  )
}

function WhatItOpens({ access: { properties } }: { access: KeyAccess }) {
  const { text } = useApp()
  if (properties === null) return <p>{text('options_works_no_report')}</p>
  if (properties.length === 0) return <p>{text('options_works_no_properties')}</p>
  const domains = properties.map(({ domain }) => domain)
  return <p>{text('options_works_properties', domains.join(', '))}</p>
}
