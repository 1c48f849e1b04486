// Imported first: zod tries to evaluate code when schemas are created.
import './no-eval.ts'
import { render } from 'preact'
import { App } from './views/App.tsx'
import type { Surface } from './views/session.ts'

/** Draws the app into an extension page. */
export function mountApp(surface: Surface): void {
  const root = document.getElementById('app')
  if (root !== null) render(<App surface={surface} />, root)
}
