import type { ComponentChildren, JSX } from 'preact'
import { formatDate } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { dayOf } from '../../../../shared/web/moment.ts'
import { accessNames, type SiteAccess } from '../../../../shared/web/site-access.ts'
import { capital } from '../../../../shared/web/text/capital.ts'
import { Link, useSite } from '../../site.tsx'
import { AreaField, TextField } from '../../tools/form-fields.tsx'
import { SecretField } from '../SecretField.tsx'
import type { AccessForm } from './form.ts'

interface GivenPageProps {
  domain: string
  /** The names that it is sent to. */
  hosts: readonly string[]
  now: Date
  given: SiteAccess | null
  /** Whether audits by this key send it. */
  isOwner: boolean
  form: AccessForm
}

/** What an owner gives for a domain: what there is of it, and a form that replaces it. */
export function GivenAccessPage({
  domain,
  hosts,
  now,
  given,
  isOwner,
  form,
}: GivenPageProps): JSX.Element {
  const { path } = useSite()
  const action = path(`/access/${domain}`)
  return (
    <>
      <h1>Access to {domain}</h1>
      <p class="lead">
        Is the store closed, or does it show strangers less? What you give here opens it to audits,
        walks and the watch of this domain.
      </p>
      {!isOwner && (
        <Notice kind="info" title="Your key is for all domains">
          <p>
            Audits and walks by it send nothing of this: only those by a key that names {domain} do,
            and its watch.
          </p>
        </Notice>
      )}
      {given !== null && <Given {...{ given, now }} action={action} />}
      <form method="post" action={action} class="card">
        <h2>{given === null ? 'Give access' : 'Replace it'}</h2>
        <p>
          It is kept encrypted, never shown again, and sent over https to {hosts.join(' and ')}{' '}
          alone.{given !== null && ' What is not filled in is deleted.'}
        </p>
        {form.problem !== null && <Notice kind="error" title={form.problem} />}
        <fieldset>
          <legend>A crawl signature</legend>
          <p class="field-hint">
            In Shopify’s admin: Online Store, Preferences, Crawler access, Create signature. It ends
            after three months at most.
          </p>
          <SecretField name="signature" label="Signature" error={form.errors.signature} optional />
          <SecretField
            name="signature_input"
            label="Signature-Input"
            error={form.errors.signature_input}
            optional
          />
          <TextField
            name="signature_agent"
            label="Signature-Agent"
            form={form}
            hint="Shopify’s is filled in"
          />
        </fieldset>
        <fieldset>
          <legend>A password page</legend>
          <SecretField
            name="preview_password"
            label="Preview password"
            hint="As visitors enter it. Of WooCommerce’s coming-soon page: the text after woo-share= in the private link"
            error={form.errors.preview_password}
            optional
          />
        </fieldset>
        <fieldset>
          <legend>A browser’s sign-in window</legend>
          <div class="field-row">
            <TextField name="username" label="User name" form={form} />
            <SecretField name="password" label="Password" error={form.errors.password} optional />
          </div>
        </fieldset>
        <details open={form.errors.headers !== undefined}>
          <summary>Other request headers</summary>
          <AreaField
            name="headers"
            label="Headers"
            form={form}
            hint="One on a line, such as X-Preview-Token: …"
            rows={3}
          />
        </details>
        <div class="actions">
          <button type="submit" class="button button-primary">
            {given === null ? 'Give access' : 'Replace'}
          </button>
        </div>
      </form>
      <p>
        <Link to={`/shop?domain=${domain}`}>Back to {domain}</Link>
      </p>
    </>
  )
}

interface GivenProps {
  given: SiteAccess
  now: Date
  action: string
}

function Given({ given, now, action }: GivenProps): JSX.Element {
  const { kinds, headers, set_at, ends_at } = given
  const { dates } = useLanguage()
  return (
    <section class="card">
      <h2>What is given</h2>
      <AccessNotice given={given} />
      <dl class="facts">
        <dt>What</dt>
        <dd class="wild">{capital(accessNames(kinds, headers))}</dd>
        <dt>Given</dt>
        <dd>
          <Moment at={set_at} now={now} />
        </dd>
        {ends_at !== null && (
          <>
            <dt>Headers end</dt>
            <dd>{formatDate(dayOf(Date.parse(ends_at)), dates)}</dd>
          </>
        )}
      </dl>
      <form method="post" action={`${action}/delete`}>
        <button type="submit" class="button button-small">
          Delete it
        </button>
      </form>
    </section>
  )
}

interface AccessNoticeProps {
  given: SiteAccess
  /** Where to give it again, on another page than that of the form. */
  children?: ComponentChildren
}

/** What is wrong with what was given, or will soon be; nothing where all is well. */
export function AccessNotice({ given, children }: AccessNoticeProps): JSX.Element | null {
  const { dates } = useLanguage()
  const { state, ends_at } = given
  if (state === 'unreadable') {
    return (
      <Notice kind="warning" title="What you gave cannot be read any more">
        <p>It was kept with another key of this service. Give it again. {children}</p>
      </Notice>
    )
  }
  if (ends_at === null || state === 'valid') return null
  const day = formatDate(dayOf(Date.parse(ends_at)), dates)
  return state === 'ended' ? (
    <Notice kind="warning" title={`The headers you gave ended on ${day}`}>
      <p>They are not sent any more. Make a new signature, and give its headers. {children}</p>
    </Notice>
  ) : (
    <Notice kind="warning" title={`The headers you gave end on ${day}`}>
      <p>Make a new signature before that day, and give its headers. {children}</p>
    </Notice>
  )
}
