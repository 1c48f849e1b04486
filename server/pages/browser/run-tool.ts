import { type ComponentChild, render } from 'preact'
import * as z from 'zod'
import { enableCopying } from './enable-copying.ts'

/**
 * Redraws a tool on each input. The first drawing takes over the server's HTML, so that nothing
 * moves and the cursor stays.
 */
export function runTool(draw: (read: (name: string) => string | null) => ComponentChild): void {
  // zod's compiled validators need eval, which the pages' Content-Security-Policy forbids. Even
  // zod's test whether eval works would be reported as a violation.
  z.config({ jitless: true })
  const root = document.getElementById('tool')
  if (root === null) return
  enableCopying(document.body)
  const drawAnew = () => {
    render(draw(readerOf(root)), root)
    enableCopying(root)
  }
  root.addEventListener('input', drawAnew)
  if (isFilledIn(root)) drawAnew()
}

/** Typed before this script ran, or restored by the browser. */
const isFilledIn = (root: Element): boolean =>
  [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  )

/** Reads the fields of all the forms in `root`. */
function readerOf(root: Element): (name: string) => string | null {
  const values = new Map<string, string>()
  for (const form of root.querySelectorAll('form')) {
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string') values.set(name, value)
    }
  }
  return (name) => values.get(name) ?? null
}
