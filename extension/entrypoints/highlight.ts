import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { createHighlighter } from '../page/highlight/highlighter.ts'

declare global {
  /** Runs in our isolated world of a page, from the first "show on page" on. */
  var aisleHighlight: ReturnType<typeof createHighlighter> | undefined
}

export default defineUnlistedScript(() => {
  globalThis.aisleHighlight ??= createHighlighter(window)
})
