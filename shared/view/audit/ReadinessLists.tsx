import type { JSX } from 'preact'
import type { Readiness } from '../../audit/readiness/groups.ts'
import { countItems, type OpenItem, openItems } from '../../audit/readiness/summary.ts'
import { NEW_TAB } from '../Action.tsx'
import { Icon } from '../Icon.tsx'
import { safeHref } from './safe-href.ts'

interface ReadinessListsProps {
  groups: readonly Readiness[] | undefined
  newTab?: boolean | undefined
}

/**
 * The requirements of each surface that the store has started on: how many are in place and,
 * collapsed, the rest. Nothing for a store that has started on none.
 */
export function ReadinessLists({
  groups = [],
  newTab = false,
}: ReadinessListsProps): JSX.Element | null {
  if (groups.length === 0) return null
  return (
    <section class="card readiness">
      <h2>Readiness for AI shopping programs</h2>
      <p class="quiet">
        What Google and OpenAI ask of stores for these. None of it changes the score.
      </p>
      {groups.map((group) => (
        <Group key={group.surface} group={group} newTab={newTab} />
      ))}
    </section>
  )
}

function Group({ group, newTab }: { group: Readiness; newTab: boolean }): JSX.Element {
  const { in_place, seen, unseen } = countItems(group)
  return (
    <details class="verdicts">
      <summary>
        <h3>{group.label}</h3>
        <span class="quiet">
          {in_place} of {seen} in place
          {unseen > 0 && `, ${`${unseen} to check yourself`}`}
        </span>
      </summary>
      <ul>
        {openItems(group).map((item) => (
          <Item key={item.id} item={item} newTab={newTab} />
        ))}
      </ul>
    </details>
  )
}

function Item({ item, newTab }: { item: OpenItem; newTab: boolean }): JSX.Element {
  const { state, label, evidence, fix } = item
  const source = safeHref(item.source)
  const isMissing = state === 'no'
  return (
    <li class={isMissing ? 'is-missing' : undefined}>
      <Icon shape={isMissing ? 'diamond' : 'ring'} />
      <div>
        <span class="readiness-label">{label}</span>{' '}
        <span class="tag">{isMissing ? 'missing' : 'check yourself'}</span>
        {evidence !== null && <p class="quiet wild">{evidence}</p>}
        <p>
          {fix}{' '}
          {source !== null && (
            <a class="readiness-source" href={source} {...(newTab ? NEW_TAB : {})}>
              Read the requirement
            </a>
          )}
        </p>
      </div>
    </li>
  )
}
