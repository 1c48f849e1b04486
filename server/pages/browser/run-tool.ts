import { type ComponentChild, render } from 'preact'
import * as z from 'zod'
import { enableCopying } from './enable-copying.ts'

/**
 * Draws a tool anew as somebody types into it. The first drawing takes over what the server sent,
 * so that nothing moves and the cursor stays where it is.
 */
export function runTool(draw: (read: (name: string) => string | null) => ComponentChild): void {
  // Its compiled validators need eval, which the pages' policy forbids; so would the trial of it.
  z.config({ jitless: true })
  const root = document.getElementById('tool')
  if (root === null) return
  enableCopying(document.body)
  root.addEventListener('input', () => {
    render(draw(readerOf(root)), root)
    enableCopying(root)
  })
}

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
