import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface MenuItem {
  label: string
  onPick: () => void
}

/**
 * A button that opens a short list of buttons: a disclosure
 * (https://www.w3.org/WAI/ARIA/apg/patterns/disclosure/). Escape, a choice and leaving it close it.
 */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  // Before the list is seen: a key that is pressed immediately counts as well.
  useLayoutEffect(() => {
    if (!isOpen) return
    const left = new AbortController()
    const onLeave = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false)
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close()
    }
    document.addEventListener('pointerdown', onLeave, left)
    document.addEventListener('focusin', onLeave, left)
    document.addEventListener('keydown', onKey, left)
    return () => left.abort()
  }, [isOpen])
  return (
    <div class="menu" ref={whole}>
      <button
        type="button"
        class="button"
        ref={button}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <ul class="menu-items">
          {items.map(({ label, onPick }) => (
            <li key={label}>
              <button
                type="button"
                onClick={() => {
                  onPick()
                  close()
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
