import type { JSX } from 'preact'
import type { Route } from '../../../shared/audit/readiness/requirement.ts'
import { ROUTES } from '../../../shared/audit/readiness/routes.ts'
import type { ROUTE_VENDORS } from '../../../shared/audit/readiness/vendors.ts'
import { Link } from '../site.tsx'

/** What one vendor asks of stores, route by route, each with the page that says so and its day. */
export function VendorRoutesPage({
  vendor: { id, name, note },
}: {
  vendor: (typeof ROUTE_VENDORS)[number]
}): JSX.Element {
  const routes = ROUTES.filter(({ vendor }) => vendor === id)
  return (
    <article>
      <p class="crumbs">
        <Link to="/routes">Routes to market</Link>
      </p>
      <h1>{name}</h1>
      <p class="lead">
        What a store needs to be sold here, by the vendor’s own pages. Run an audit to see what of
        it is there.
      </p>
      {note !== undefined && <p>{note}</p>}
      {routes.map((route) => (
        <section key={route.surface} class="gap-section" aria-labelledby={route.surface}>
          <h2 id={route.surface}>{route.label}</h2>
          {route.ended === undefined ? (
            <>
              <p>{route.about}</p>
              <Requirements route={route} />
            </>
          ) : (
            <p class="notice">{route.ended}</p>
          )}
        </section>
      ))}
    </article>
  )
}

const Requirements = ({ route: { label, requirements } }: { route: Route }): JSX.Element => (
  <table class="rules even">
    <caption class="sr-only">{label}</caption>
    <thead>
      <tr>
        <th scope="col">Requirement</th>
        <th scope="col">What to do</th>
        <th scope="col">How it is checked</th>
        <th scope="col">Asked for by</th>
      </tr>
    </thead>
    <tbody>
      {requirements.map(({ id, label: needed, fix, check, where, page }) => (
        <tr key={id}>
          <th scope="row">{needed}</th>
          <td data-label="What to do">{fix}</td>
          <td data-label="How it is checked">
            {check === null
              ? `By hand: ${where}`
              : check === 'checkout'
                ? 'By a walk'
                : 'By an audit'}
          </td>
          <td data-label="Asked for by" class="source">
            <a href={page.url}>{new URL(page.url).hostname}</a>
            <span class="row-about">read {page.read}</span>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
