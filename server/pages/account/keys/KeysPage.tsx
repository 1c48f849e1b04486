import type { ComponentChildren, JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Field } from '../../../../shared/view/form/Field.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { ErrorNotice, Notice } from '../../../../shared/view/Notice.tsx'
import type { CreatedKey } from '../../../access/make-key.ts'
import type { ApiKey } from '../../../db/access/keys.ts'
import { SCOPE_WORDS } from '../../scope-words.ts'
import { Link, useSite } from '../../site.tsx'
import { KEY_PURPOSES, type KeyFormState, LIFETIMES, scopesFor } from './form.ts'

export interface KeysPageProps {
  own: ApiKey
  /** The keys that were created with it. */
  made: readonly ApiKey[]
  now: Date
  state: KeyFormState
  /** The key that was just created: it is shown once. */
  created?: CreatedKey | undefined
  /** A first call with it, for a shell. */
  firstCall?: string | null | undefined
  /** Why none was created. */
  refusal?: string | undefined
}

/** The signed-in key, the keys that were created with it, and a form for another. */
export function KeysPage(props: KeysPageProps): JSX.Element {
  const { own, made, now, state, created, firstCall = null, refusal } = props
  return (
    <>
      <h1>Keys</h1>
      <p class="lead">
        Give each program and person a key of their own, with only the rights it needs: when one
        leaks, you revoke that one.
      </p>
      {created !== undefined && (
        <Notice kind="success" title={`The key “${created.name}” was created`}>
          <p>Copy it now: it is not shown again.</p>
          <CodeBlock label="The key" code={created.key} />
          {created.scopes.includes('report:write') && created.domains.length === 1 && (
            <p>
              Next, put it into your server:{' '}
              <Link to={`/tools/orders?domain=${created.domains[0]}`}>choose your platform</Link>.
            </p>
          )}
          {firstCall !== null && <CodeBlock label="A first call with it" code={firstCall} />}
        </Notice>
      )}
      {refusal !== undefined && <ErrorNotice title={refusal} />}
      {made.map((key) => (
        <section class="card" key={key.id} aria-label={key.name}>
          <h2 class="wild">{key.name}</h2>
          <KeyFacts of={key} now={now} />
          {isOpen(key, now) && <RevokeForm id={key.id} name={key.name} />}
        </section>
      ))}
      {own.made_by === null ? (
        <NewKeyForm own={own} state={state} />
      ) : (
        <p>This key was made with another one. Sign in with that one to make more.</p>
      )}
      <details class="card">
        <summary>The key you signed in with</summary>
        <KeyFacts of={own} now={now} />
      </details>
    </>
  )
}

const isOpen = ({ revoked_at, expires_at }: ApiKey, now: Date): boolean =>
  revoked_at === null && (expires_at === null || expires_at > now)

function KeyFacts({ of, now }: { of: ApiKey; now: Date }): JSX.Element {
  const { id, scopes, domains, created_at, expires_at, revoked_at, last_used_at } = of
  return (
    <dl class="facts">
      <Fact name="Id">
        <code>{id}</code>
      </Fact>
      <Fact name="May">{scopes.map((scope) => SCOPE_WORDS[scope]).join('. ')}.</Fact>
      <Fact name="Domains">{domains.map((each) => (each === '*' ? 'all' : each)).join(', ')}</Fact>
      <Fact name="Created">
        <Moment at={created_at.toISOString()} />
      </Fact>
      <Fact name={revoked_at === null ? 'Ends' : 'Revoked'}>
        {revoked_at !== null ? (
          <Moment at={revoked_at.toISOString()} />
        ) : expires_at === null ? (
          'when it is revoked'
        ) : (
          <>
            <Moment at={expires_at.toISOString()} />
            {expires_at <= now && ' (it has expired)'}
          </>
        )}
      </Fact>
      <Fact name="Last used">
        {last_used_at === null ? (
          'never'
        ) : (
          <>
            <Moment at={last_used_at.toISOString()} />
            {of.last_used_for !== null && (
              <>
                {' '}
                for{' '}
                {of.last_used_for.includes('/') ? (
                  <code>{of.last_used_for}</code>
                ) : (
                  of.last_used_for
                )}
              </>
            )}
          </>
        )}
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="wild">{children}</dd>
  </div>
)

function RevokeForm({ id, name }: { id: string; name: string }): JSX.Element {
  const { path } = useSite()
  return (
    <details>
      <summary>Revoke it</summary>
      <form method="post" action={path('/keys/revoke')}>
        <input type="hidden" name="id" value={id} />
        <p>Programs that use “{name}” are refused from then on. This cannot be undone.</p>
        <button type="submit" class="button">
          Revoke this key
        </button>
      </form>
    </details>
  )
}

function NewKeyForm({ own, state }: { own: ApiKey; state: KeyFormState }): JSX.Element {
  const { path } = useSite()
  const { errors } = state
  const coversAll = own.domains.includes('*')
  return (
    <section class="card" id="new">
      <h2>Make a key with fewer rights</h2>
      <form method="post" action={path('/keys')}>
        <Field
          id="name"
          label="Name"
          error={errors.name}
          hint="Such as “store server” or “agency”."
        >
          {(attributes) => (
            <input
              {...attributes}
              name="name"
              value={state.name}
              maxLength={200}
              required
              autocomplete="off"
            />
          )}
        </Field>
        <fieldset aria-describedby={errors.scopes === undefined ? undefined : 'scopes-error'}>
          <legend>What it is for</legend>
          {errors.scopes !== undefined && (
            <p class="field-error" id="scopes-error">
              {errors.scopes}
            </p>
          )}
          {KEY_PURPOSES.filter(([id]) => scopesFor(id, own.scopes) !== null).map(([id, label]) => (
            <label key={id} class="check">
              <input type="radio" name="purpose" value={id} checked={state.purpose === id} />{' '}
              {label}
            </label>
          ))}
          <label class="check">
            <input
              type="radio"
              name="purpose"
              value=""
              checked={state.purpose === '' && state.scopes.length > 0}
            />{' '}
            For something else: choose below
          </label>
        </fieldset>
        <details open={state.purpose === '' && state.scopes.length > 0}>
          <summary>Choose what it may do</summary>
          <Choices legend="What it may do" name="scopes" error={undefined}>
            {own.scopes.map((scope) => [
              scope,
              `${SCOPE_WORDS[scope]} (${scope})`,
              state.scopes.includes(scope),
            ])}
          </Choices>
        </details>
        {coversAll ? (
          <Field
            id="domains"
            label="Domains"
            error={errors.domains}
            hint="One per line, such as shop.example; * for all."
          >
            {(attributes) => (
              <textarea
                {...attributes}
                name="domains"
                rows={2}
                value={state.domains.join('\n')}
                autocomplete="off"
                spellcheck={false}
              />
            )}
          </Field>
        ) : (
          own.domains.length > 1 && (
            <Choices legend="Domains" name="domains" error={errors.domains}>
              {own.domains.map((domain) => [domain, domain, state.domains.includes(domain)])}
            </Choices>
          )
        )}
        <Field id="days" label="It ends after">
          {(attributes) => (
            <select {...attributes} name="days">
              {LIFETIMES.map(([days, label]) => (
                <option key={days} value={days} selected={days === state.days}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" class="button button-primary">
          Create the key
        </button>
        <p class="quiet">When your own key is revoked, the keys that were made with it end too.</p>
      </form>
    </section>
  )
}

interface ChoicesProps {
  legend: string
  name: string
  error: string | undefined
  children: (readonly [value: string, label: string, isChecked: boolean])[]
}

function Choices({ legend, name, error, children }: ChoicesProps): JSX.Element {
  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${name}-error`}>
      <legend>{legend}</legend>
      {error !== undefined && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {children.map(([value, label, isChecked]) => (
        <label key={value} class="check">
          <input type="checkbox" name={name} value={value} checked={isChecked} /> {label}
        </label>
      ))}
    </fieldset>
  )
}
