import type { JSX } from 'preact'
import type { Readiness } from '../../audit/readiness/groups.ts'
import { inPlaceText, type OpenItem, openItems } from '../../audit/readiness/summary.ts'
import { ROUTE_VENDORS } from '../../audit/readiness/vendors.ts'
import { NEW_TAB } from '../Action.tsx'
import { Icon } from '../Icon.tsx'
import { safeHref } from './safe-href.ts'

interface ReadinessListsProps {
  groups: readonly Readiness[] | undefined
  /** The address of a vendor's page. */
  routeHref?: ((vendor: string) => string) | undefined
  newTab?: boolean | undefined
}

/**
 * The routes to market by vendor: how much of each is in place and, collapsed, the rest. Nothing
 * where none was looked at.
 */
export function ReadinessLists({
  groups = [],
  routeHref,
  newTab = false,
}: ReadinessListsProps): JSX.Element | null {
  if (groups.length === 0) return null
  return (
    <details class="card readiness">
      <summary>
        <h2>Routes to market</h2>
      </summary>
      <p class="quiet" id="readiness">
        What you need to be sold there, and what of it was seen. None of it changes the score.
      </p>
      {[...Map.groupBy(groups, ({ vendor }) => vendor)].map(([vendor = '', routes]) => {
        const name = ROUTE_VENDORS.find(({ id }) => id === vendor)?.name ?? vendor
        return (
          <details key={vendor} class="vendor verdicts">
            <summary>
              <h3>{name}</h3>
              <span class="quiet">{vendorText(routes)}</span>
            </summary>
            {routeHref !== undefined && (
              <p>
                <a href={routeHref(vendor)}>How to be sold there</a>
              </p>
            )}
            {routes.map((group) => (
              <Group key={group.surface} group={group} newTab={newTab} />
            ))}
          </details>
        )
      })}
    </details>
  )
}

/** Of several routes, the shortest. */
function vendorText(routes: readonly Readiness[]): string {
  const shortest = routes.find((route) => route.shortest) ?? routes[0]
  return shortest === undefined ? '' : inPlaceText(shortest)
}

function Group({ group, newTab }: { group: Readiness; newTab: boolean }): JSX.Element {
  const { ended, label, items, shortest } = group
  return (
    <details class="verdicts">
      <summary>
        <h4>{label}</h4>
        {shortest === true && <span class="tag">Shortest</span>}{' '}
        <span class="quiet">{ended === undefined ? inPlaceText(group) : 'ended'}</span>
      </summary>
      {ended !== undefined && <p>{ended}</p>}
      <ul>
        {(ended === undefined ? openItems(group) : items).map((item) => (
          <Item key={item.id} item={item} newTab={newTab} />
        ))}
      </ul>
    </details>
  )
}

function Item({ item, newTab }: { item: OpenItem; newTab: boolean }): JSX.Element {
  const { state, label, evidence, fix, source_read, where } = item
  const source = safeHref(item.source)
  const isMissing = state === 'no'
  return (
    <li class={isMissing ? 'is-missing' : undefined}>
      <Icon shape={isMissing ? 'diamond' : 'ring'} />
      <div>
        <span class="readiness-label">{label}</span>{' '}
        {state !== 'yes' && <span class="tag">{isMissing ? 'missing' : 'check yourself'}</span>}
        {where !== undefined && <p class="quiet">Where: {where}.</p>}
        {evidence !== null && where === undefined && <p class="quiet wild">{evidence}</p>}
        <p>
          {fix}{' '}
          {source !== null && (
            <a class="readiness-source" href={source} {...(newTab ? NEW_TAB : {})}>
              Read the requirement
            </a>
          )}
          {source_read !== undefined && <span class="quiet"> (as of {source_read})</span>}
        </p>
      </div>
    </li>
  )
}
