import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

interface TabView<Id extends string> {
  id: Id
  label: string
  content: () => ComponentChildren
}

interface TabsProps<Id extends string> {
  label: string
  tabs: readonly TabView<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
}

/**
 * A tablist (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/). A view is created when it is first
 * shown, and then only hidden, so that its work goes on.
 */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>) {
  const buttons = useRef(new Map<Id, HTMLButtonElement>())
  const seen = useRef(new Set<Id>())
  seen.current.add(chosen)
  const move = (event: KeyboardEvent, index: number) => {
    const next = tabs[tabAfter(event.key, index, tabs.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.id)
    buttons.current.get(next.id)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label}>
        {tabs.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls={`view-${id}`}
            aria-selected={id === chosen}
            tabIndex={id === chosen ? 0 : -1}
            ref={(button) => {
              if (button) buttons.current.set(id, button)
            }}
            onClick={() => onChoose(id)}
            onKeyDown={(event) => move(event, index)}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }) => (
        <div
          key={id}
          class="tab-view"
          role="tabpanel"
          id={`view-${id}`}
          aria-labelledby={`tab-${id}`}
          tabIndex={-1}
          hidden={id !== chosen}
        >
          {seen.current.has(id) && content()}
        </div>
      ))}
    </>
  )
}

/** The new tab when a key moves the selection in a row of `count` tabs; null for other keys. */
export function tabAfter(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count
    case 'ArrowLeft':
      return (index + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
