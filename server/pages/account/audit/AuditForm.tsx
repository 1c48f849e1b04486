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
        <Link to={`/shop?domain=${domain}`}>Its own page</Link>: visits, orders, what to do next.{' '}
        <Link to={`/walks?domain=${encodeURIComponent(domain)}`}>Try whole purchases</Link> to judge
        the checkout too, or <Link to={`/watches/${domain}`}>watch it</Link> for alerts.
      </p>
    </form>
  )
}
