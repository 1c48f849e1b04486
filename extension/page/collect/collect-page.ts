import type { Collected } from './collected.ts'
import { fetchServed } from './fetch-served.ts'
import { documentText, rootOf } from './safe-document.ts'
import { readShownControls } from './shown-controls.ts'

// Unspecified: two megabytes of a page are judged, and a longer one says so.
/** One more than the page reader reads, so that it notices the rest. */
export const MAX_HTML = 2 * 1024 * 1024 + 1

/**
 * Reads the open page: its current HTML, and what its server sends for the same address. Runs in
 * the page's isolated world and never throws; null if there is no document to read.
 */
export async function collectPage(page: Window, request: typeof fetch): Promise<Collected | null> {
  try {
    const { href } = page.location
    const root = rootOf(page.document)
    if (root === null) return null
    return {
      url: href,
      content_type: documentText(page.document, 'contentType'),
      status: statusOf(page),
      html: `<!doctype html>${root.outerHTML.slice(0, MAX_HTML)}`,
      controls: readShownControls(root),
      served: await fetchServed(
        href,
        documentText(page.document, 'characterSet') || 'utf-8',
        request,
      ),
    }
  } catch {
    return null
  }
}

/**
 * The status of the navigation (https://w3c.github.io/navigation-timing/, `responseStatus`); null
 * where a script has replaced the page since, and in browsers that do not know it.
 */
function statusOf({ performance, location }: Window): number | null {
  const [loaded] = performance.getEntriesByType('navigation')
  const status: unknown = loaded && Reflect.get(loaded, 'responseStatus')
  const isSame = loaded?.name.replace(/#.*$/s, '') === location.href.replace(/#.*$/s, '')
  return typeof status === 'number' && status > 0 && isSame ? status : null
}
