import { Action } from '../../../shared/view/Action.tsx'
import { Field } from '../../../shared/view/form/Field.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import type { KeyAccess } from '../../api/client.ts'
import { useFocusInvalid } from '../app/focus.ts'
import { LiveRegion, useAnnouncer } from '../app/LiveRegion.tsx'
import { displayHost } from '../app/server.ts'
import { FailureNotice } from '../tasks/FailureNotice.tsx'
import { useConnection } from './use-connection.ts'

/** The server address and its key; saving also tests the connection. */
export function ConnectionForm() {
  const [said, announce] = useAnnouncer()
  const { values, change, errors, test, save, forget, keptKeyEnd, isKept } = useConnection()
  const form = useFocusInvalid(errors)
  const host = displayHost(values.url)
  return (
    <section class="card">
      <h2>Server</h2>
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
          label="Server address"
          hint="https, or http for a server on this computer (localhost)"
          error={errors.url}
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
          label="Key"
          hint={
            keptKeyEnd === null
              ? 'Stored on this computer only, never synced. The operator gives it to you.'
              : `A key ending in ${keptKeyEnd} is stored. Enter another to replace it.`
          }
          error={errors.key}
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
            Save and test the connection
          </button>
          {isKept && (
            <Action
              label="Forget the server and the key"
              onAct={() =>
                void forget().then(() => announce('The server and the key have been forgotten.'))
              }
            />
          )}
        </div>
      </form>
      <LiveRegion text={test.is === 'running' ? `Asking ${host}…` : isKept ? '' : said} />
      <LiveRegion text={test.is === 'done' ? `Connected to ${host}` : ''} hidden />
      {test.is === 'failed' && (
        <FailureNotice failure={test.failure} at={test.at} onRetry={() => void save()} />
      )}
      {test.is === 'done' && (
        <Notice kind="success" title={`Connected to ${host}`}>
          <WhatItOpens access={test.value} />
        </Notice>
      )}
    </section>
  )
}

function WhatItOpens({ access: { properties } }: { access: KeyAccess }) {
  if (properties === null) return <p>The key works, but it cannot read reports.</p>
  if (properties.length === 0) return <p>The key works. No storefront is registered yet.</p>
  const domains = properties.map(({ domain }) => domain)
  return <p>The key can read reports for: {domains.join(', ')}</p>
}
