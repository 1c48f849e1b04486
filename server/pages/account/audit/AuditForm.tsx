import type { JSX } from 'preact'
import { Link, useSite } from '../../site.tsx'

/** A button that audits the domain and returns to its page. */
export function AuditForm({ domain, label }: { domain: string; label: string }): JSX.Element {
  const { path } = useSite()
  return (
    <form method="post" action={path('/audits')} class="inline-form no-print">
      <input type="hidden" name="domain" value={domain} />
      <button type="submit" class="button">
        {label}
      </button>
      <p class="quiet">
        This takes a few seconds and counts as one audit of your key.{' '}
        <Link to={`/walks?domain=${encodeURIComponent(domain)}`}>Try whole purchases</Link> to have
        the checkout judged as well, or <Link to={`/watches/${domain}`}>watch {domain}</Link> to get
        an alert when something breaks.
      </p>
    </form>
  )
}
