import type { SessionBeacon } from '../shared/events.ts'
import { attempt } from './attempt.ts'
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
 *
 * Pages may call it before it has loaded:
 *
 *     (window.aisle = window.aisle || []).push((aisle) => aisle.consent(true))
 *
 * and afterwards have `aisle.session()`: `{ id, surface, confidence }`, or null when no assistant
 * brought the visitor. `aisle.consent(false)` deletes what was stored.
 */

declare const PACKED: Packed

// A page may serve it under a name of its own; then it is the script at work.
const script = document.querySelector('[src*="attribution.js?id="]') || document.currentScript

function run(): void {
  const { src, dataset } = asScript(script)
  const queue = window.aisle || []
  if (queue.session) return
  let said: boolean | undefined
  let touch: Touch | null = null

  const layerOf = () => asLayers(window)[dataset.layer || 'dataLayer'] || []
  const session = () => {
    attempt(() => {
      if (said === false) delete sessionStorage.aisle
      if (!mayStore(said, 'consent' in dataset, layerOf())) return
      if (touch) sessionStorage.aisle = JSON.stringify(touch)
      else touch = JSON.parse(sessionStorage.aisle || null)
    })
    return touch
  }

  const [navigation = {}]: Partial<PerformanceNavigationTiming>[] =
    performance.getEntriesByType('navigation')
  // A router may have changed the location since.
  const url = new URL(navigation.name || location.href)
  const from = attempt(() => new URL(document.referrer))
  const paid = RegExp(PACKED.clickId).test(url.search)
  // Not by reload and not by the back button, which bring nobody new; and not for a script that
  // was pasted into a page, which has no address to report to.
  const found = src && !/^[rb]/.test(asText(navigation.type)) && classifyLanding(from, url, paid)
  if (found && !session()) {
    const [surface, confidence] = found
    // Pages without TLS have no `crypto.randomUUID`.
    touch = { id: crypto.getRandomValues(new Uint32Array(4)).join('-'), surface, confidence }
    session()
    const tags = url.search.match(/utm_\w+=[^&]{1,99}/g) || []
    const beacon = {
      ...touch,
      referrer: from ? `${from.protocol}//${from.host}` : '',
      landing: `${url.origin}/?${paid ? 'gclid=1&' : ''}${tags.join('&')}`,
      model: PACKED.model,
    } satisfies SessionBeacon
    attempt(() => {
      fetch(src.replace(/[^/]*\?/, 'sessions?'), {
        method: 'POST',
        body: JSON.stringify(beacon),
        keepalive: true,
        credentials: 'omit',
      })
        // A body that nobody reads would leave the request open.
        .then((answer) => answer.text())
        .catch(() => {})
    })
    tellAll(productsOf(layerOf, surface, confidence, tags), 100)
  }
  // Consent may come at any time until the visitor leaves.
  addEventListener('pagehide', session)

  const api: Api = {
    session,
    consent: (granted) => {
      said = granted
      session()
    },
    push: (callback) => attempt(() => callback(api)),
  }
  window.aisle = api
  queue.forEach(api.push)
}

/** Without a tag it is null: its use throws, and nothing happens on the page. */
function asScript(element: unknown): HTMLScriptElement {
  return element as HTMLScriptElement
}

/** A type that is missing reads as `undefined`, which begins with none of the letters asked for. */
function asText(type: string | undefined): string {
  return type as string
}

/** What the page calls its layer may be something else: its use throws then. */
function asLayers(page: unknown): Record<string, Layer | undefined> {
  return page as Record<string, Layer | undefined>
}

const start = () => attempt(run)
// A page that was loaded ahead may never be shown.
if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
