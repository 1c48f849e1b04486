import type { SessionBeacon } from '../shared/attribution/events.ts'
import { caught } from './caught.ts'
import { classifyLanding } from './classify-landing.ts'
import { mayStore } from './consent.ts'
import { productsOf } from './mark.ts'
import type { Packed } from './pack.ts'
import type { Api, Layer, Touch } from './page.ts'
import { tellAll } from './tell-all.ts'

/*
 * The tag: `<script async src="https://…/attribution.js?id=<property>">`, with
 * - `data-consent="required"`: nothing is stored before the page calls `aisle.consent(true)`
 * - `data-layer`: the name of Google's data layer, if it is not `dataLayer`
 * - `data-endpoint`: where sessions go, `https://…/sessions?id=<property>`, if not beside the script
 *
 * Single-page shops need nothing more: it is the landing that counts, and routes change nothing.
 *
 * Pages may call it before it has loaded:
 *
 *     (window.aisle = window.aisle || []).push((aisle) => aisle.consent(true))
 *
 * and afterwards have `aisle.session()`: `{ id, surface, confidence }`, or null when no assistant
 * brought the visitor. `aisle.consent(false)` deletes what was stored.
 */

declare const PACKED: Packed

// Whoever injects the tag, it is the script at work. A page loaded ahead is run when it is shown.
const script = document.currentScript

const start = () =>
  caught(() => {
    const { src, dataset } = asScript(script)
    const queue = window.aisle || []
    if (queue.session) return
    let said: boolean | undefined
    let touch: Touch | null = null

    const layerOf = () => asLayer(asRecord(window)[dataset.layer || 'dataLayer'])
    const session = () => {
      caught(() => {
        const may = mayStore(said, 'consent' in dataset, layerOf() || [])
        if (may) {
          touch ||= JSON.parse(sessionStorage.aisle) as Touch
          // Something else may have written there.
          if (touch.surface) sessionStorage.aisle = JSON.stringify(touch)
          else touch = null
        } else if (may === false) delete sessionStorage.aisle
      })
      return touch
    }

    caught(() => {
      const [navigation]: Partial<PerformanceNavigationTiming>[] =
        performance.getEntriesByType('navigation')
      // A router may have changed the location since.
      const url = new URL(navigation?.name || location.href)
      const [scheme, host] = document.referrer.split(/[/:]+/)
      const clickId = url.search.match(PACKED.clickId)
      // Not by reload and not by the back button, which bring nobody new; and not for a script that
      // was pasted into a page, which has no address to report to.
      const found =
        src && !/^[rb]/.test(asText(navigation?.type)) && classifyLanding(host, url, clickId)
      if (found && !session()) {
        touch = {
          // Pages without TLS have no `crypto.randomUUID`.
          id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
          surface: found[0],
          confidence: found[1],
        }
        session()
        const tags = (url.search.match(/utm_\w+=[^&]{1,99}/g) || []).join('&')
        tellAll(productsOf(layerOf, found, tags), 100)
        fetch(dataset.endpoint || src.replace(/[^/]*\?/, 'sessions?'), {
          keepalive: true,
          credentials: 'omit',
          method: 'POST',
          body: JSON.stringify({
            ...touch,
            referrer: host ? `${scheme}://${host}` : '',
            landing: `${url.origin}/?${clickId ? 'gclid=1&' : ''}${tags}`,
            model: PACKED.model,
          } satisfies SessionBeacon),
        })
          // A body that nobody reads would leave the request open.
          .then((answer) => answer.text())
          .catch(() => {})
      }
    })
    // Consent may come and go at any time until the visitor leaves.
    addEventListener('pagehide', session)

    const api: Api = {
      session,
      consent: (granted) => {
        said = granted
        session()
      },
      push: (callback) => caught(() => callback(api)),
    }
    window.aisle = api
    queue.forEach(api.push)
  })

/** Without a tag it is null: its use throws, and nothing happens on the page. */
function asScript(element: unknown): HTMLScriptElement {
  return element as HTMLScriptElement
}

/** A type that is missing reads as `undefined`, which begins with none of the letters asked for. */
function asText(type: string | undefined): string {
  return type as string
}

/** Names that are missing are undefined. */
function asRecord(page: unknown): Record<string, unknown> {
  return page as Record<string, unknown>
}

/** What the page calls its layer may be missing or something else: its use throws then. */
function asLayer(value: unknown): Layer {
  return value as Layer
}

if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
