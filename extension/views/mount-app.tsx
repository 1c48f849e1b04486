// First: schemas decide how they work when they are made.
import './no-eval.ts'
import { render } from 'preact'
import { App } from './App.tsx'
import type { Surface } from './app-state.ts'

/** Draws the app into an extension page. */
export function mountApp(surface: Surface): void {
  const root = document.getElementById('app')
  if (root !== null) render(<App surface={surface} />, root)
}
