import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * For the element around all views: a button that disappears, or is hidden with its view, loses the
 * focus. The current view gets it then, so that keyboard use goes on from there.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    const whole = root.current
    if (whole === null) return
    let last: Element | null = null
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null
    }
    const observer = new MutationObserver(() => {
      if (last === null || document.activeElement !== document.body) return
      const isGone = !last.isConnected || last.closest('[hidden]') !== null
      if (!isGone) return
      last = null
      whole
        .querySelector<HTMLElement>('[role="tabpanel"]:not([hidden])')
        ?.focus({ preventScroll: true })
    })
    whole.addEventListener('focusin', remember)
    observer.observe(whole, { childList: true, subtree: true, attributeFilter: ['hidden'] })
    return () => {
      whole.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
  return root
}

/** For a form: whenever it was refused, the first input with an error gets the focus. */
export function useFocusInvalid(errors: object): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // With the errors, not a frame later, so that no typing goes elsewhere.
  useLayoutEffect(() => {
    const first = form.current?.querySelector('[aria-invalid="true"]')
    if (first instanceof HTMLElement) first.focus()
  }, [errors])
  return form
}
