import type { JSX } from 'preact'
import { ROUTES } from '../../../shared/audit/readiness/routes.ts'
import { ROUTE_VENDORS } from '../../../shared/audit/readiness/vendors.ts'
import { Link } from '../site.tsx'

/** Every vendor with the routes that are open, and those that have ended. */
export function RoutesPage(): JSX.Element {
  return (
    <article>
      <h1>Routes to market</h1>
      <p class="lead">
        What a store needs to be sold by each AI assistant. An audit says what of it your store has.
      </p>
      <table class="rules even whole-names">
        <caption class="sr-only">Routes to market</caption>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Route</th>
            <th scope="col" class="number">
              Requirements
            </th>
          </tr>
        </thead>
        <tbody>
          {ROUTE_VENDORS.flatMap(({ id, name }) =>
            ROUTES.filter(({ vendor }) => vendor === id).map((route, at) => (
              <tr key={route.surface}>
                <th scope="row">
                  <span class={at > 0 ? 'sr-only' : undefined}>
                    <Link to={`/routes/${id}`}>{name}</Link>
                  </span>
                </th>
                <td data-label="Route">
                  <Link to={`/routes/${id}#${route.surface}`}>{route.label}</Link>
                  <span class="row-about">{route.ended ?? route.about}</span>
                </td>
                <td data-label="Requirements" class="number">
                  {route.ended === undefined ? route.requirements.length : 'ended'}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </article>
  )
}
