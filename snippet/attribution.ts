import { attempt } from './attempt.ts'
import type { Page } from './page.ts'
import { start } from './start.ts'

attempt(() => {
  const page = window as unknown as Page
  const { document } = page
  // A page may serve it under a name of its own; then it is the script at work.
  const script =
    document.querySelector<HTMLScriptElement>('script[src*="attribution.js?id="]') ||
    (document.currentScript as HTMLScriptElement)
  const run = () => attempt(() => start(page, script))
  // A page that was loaded ahead may never be shown.
  if (document.prerendering) document.addEventListener('prerenderingchange', run, { once: true })
  else run()
})
