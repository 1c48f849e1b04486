import type { Context } from 'hono'
import { Fragment, type JSX } from 'preact'
import { NEW_TAB } from '../../../shared/view/Action.tsx'
import { Notice } from '../../../shared/view/Notice.tsx'
import { requireWebSession } from '../../access/web-session.ts'
import { limitBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { renderPage } from '../render-page.tsx'
import { refuseForeignForms } from '../same-site.ts'
import { type PageDeps, siteOf, useSite } from '../site.tsx'
import { readForm } from '../tools/read-form.ts'
import { SecretField } from './SecretField.tsx'

/** The fields of a form that takes time to fill in, by name. */
interface TypedFields {
  /** May be shown again. */
  shown: readonly string[]
  /** Secrets, such as a token or the URL of a webhook: never in an answer. */
  secret?: readonly string[]
}

/**
 * Admits a form of a signed-in browser. Unspecified: if the session has ended meanwhile, the answer
 * gives the typed values back, with a button that sends them again after signing in. Nothing is
 * stored: the next user never sees them, and the new key decides.
 */
export const typedForm = (deps: PageDeps, fields: TypedFields) =>
  [
    refuseForeignForms(deps),
    limitBody,
    requireWebSession(deps, (c, signIn) => giveBack(c, deps, fields, signIn)),
  ] as const

/** Our forms send far fewer fields; a stranger's body may have many. */
const MOST_FIELDS = 200

async function giveBack(
  c: Context<ServerEnv>,
  deps: PageDeps,
  { shown, secret = [] }: TypedFields,
  signIn: string,
): Promise<Response> {
  const sent = [...(await readForm(c))].slice(0, MOST_FIELDS)
  const filled = sent.filter(([, value]) => value.trim() !== '')
  return renderPage(
    c,
    siteOf(deps),
    { title: 'Sign in again', status: 401 },
    <TypedPage
      path={new URL(c.req.url).pathname}
      signIn={signIn}
      sent={sent.filter(([name]) => shown.includes(name))}
      asked={secret.filter((name) => filled.some(([each]) => each === name))}
    />,
  )
}

interface TypedPageProps {
  /** Of the form. */
  path: string
  signIn: string
  sent: readonly (readonly [name: string, value: string])[]
  /** The secrets among the values. */
  asked: readonly string[]
}

function TypedPage({ path, signIn, sent, asked }: TypedPageProps): JSX.Element {
  const site = useSite()
  const rows = Map.groupBy(
    sent.filter(([, value]) => value.trim() !== ''),
    ([name]) => name,
  )
  return (
    <div class="narrow">
      <h1>Sign in again</h1>
      <Notice kind="warning" title="You were signed out">
        <p>
          What you just sent was not done, and is kept in this page alone.{' '}
          <a href={signIn} {...NEW_TAB}>
            Sign in in a new tab
          </a>
          , come back to this one, and send it again.
        </p>
      </Notice>
      <form method="post" action={site.path(path)} class="card">
        <h2>What you entered</h2>
        {sent.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <dl class="facts">
          {[...rows].map(([name, values]) => (
            <Fragment key={name}>
              <dt>{labelOf(name)}</dt>
              <dd class="wild">{values.map(([, value]) => value).join(', ')}</dd>
            </Fragment>
          ))}
        </dl>
        {asked.map((name) => (
          <SecretField
            key={name}
            name={name}
            label={labelOf(name)}
            hint="It may be secret, so it is not repeated here. Enter it again."
            required
          />
        ))}
        <button type="submit" class="button button-primary">
          Send it again
        </button>
      </form>
    </div>
  )
}

/** `Time zone` for `time_zone`. */
const labelOf = (name: string): string => {
  const words = name.replace(/[_.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
