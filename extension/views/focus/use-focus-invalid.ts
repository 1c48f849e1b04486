import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** For a form: whenever it was refused, the first input that has an error gets the focus. */
export function useFocusInvalid(errors: object): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const first = form.current?.querySelector('[aria-invalid="true"]')
    if (first instanceof HTMLElement) first.focus()
  }, [errors])
  return form
}
