import type { SessionBeacon } from '../shared/attribution/events.ts'
import { isSameSite } from '../shared/web/address/same-site.ts'
import { classifyLanding } from './classify-landing.ts'
import { mayStore } from './consent.ts'
import { productsOf } from './mark.ts'
import type { Packed } from './pack.ts'
import { type Api, caught, type Layer, listOf, type Touch } from './page.ts'
import { tellAll } from './tell-all.ts'

/*
 * The tag: `<script async src="https://…/attribution.js?id=<property>">`, with
 * - `data-consent="required"`: nothing is stored before the page calls `aisle.consent(true)`
 * - `data-layer`: the name of Google's data layer, if it is not `dataLayer`
 * - `data-lookback`: read by the recipes of the service alone, how many days after it a visit may
 *   buy
 * - `data-endpoint`: where sessions go, `https://…/sessions?id=<property>`; by default on the
 *   script's host
 *
 * Single-page stores need nothing more: only the landing counts, and routes change nothing.
 *
 * Pages may call it before it has loaded:
 *
 *     (window.aisle = window.aisle || []).push((aisle) => aisle.consent(true))
 *
 * and afterwards have `aisle.session()`: `{ id, surface, confidence }`, or null if no assistant
 * brought the visitor. An id begins with the time of its visit, in milliseconds.
 * `aisle.consent(false)` deletes what was stored, and the cookie `aisle_visit`, in which a store
 * may pass the id to its server.
 */

declare const PACKED: Packed

type Begun = Pick<SessionBeacon, 'id' | 'surface' | 'confidence'>

/** A visit begins on this page: what an earlier page of the tab kept is not read. */
const NEW = 0 as unknown as Touch

const script = document.currentScript

const start = () =>
  caught(() => {
    const queue = window.aisle
    // A module has no tag, and a script that was pasted into a page no address: there is no
    // property to report for.
    // biome-ignore lint/suspicious/noConsole: nothing else tells who put it there
    if (!script?.src) return console.warn('aisle: no src')
    // A second tag changes nothing.
    if (queue?.session) return
    const src = script.src
    const dataset = script.dataset
    let said: boolean | undefined
    let api: Api
    let touch: Touch | null = null
    let begin: (() => void) | null | undefined

    const layerOf = (): Layer => listOf(window[dataset.layer || 'dataLayer'])
    const forget = () => {
      // The recipes of the service copy the visit into this cookie, which another tab may have set.
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has a cookie store
      document.cookie = 'aisle_visit=;path=/;max-age=0'
      delete sessionStorage.aisle
    }
    const keep = () => {
      const may = mayStore(said, 'consent' in dataset, layerOf())
      if (may) {
        // Throws if nothing is stored: then there is nothing to store either.
        touch ??= JSON.parse(sessionStorage.aisle)
        if (touch?.surface) sessionStorage.aisle = JSON.stringify({ ...touch, seen: Date.now() })
        else touch = null
      } else if (may === false) forget()
      else if (touch === NEW) delete sessionStorage.aisle
    }
    const session = () => {
      caught(keep)
      if (!touch) caught(begin)
      return touch
    }

    caught(() => {
      const [navigation]: Partial<PerformanceNavigationTiming>[] =
        performance.getEntriesByType('navigation')
      // A reload and the back button (`reload`, `back_forward`) are not a new visit, unless all of
      // the script came over the network: so it has not run before, as where a consent tool held it
      // back and then reloads the page. That nothing has changed takes fewer bytes.
      // https://www.w3.org/TR/navigation-timing-2/#sec-performance-navigation-types
      if (
        navigation?.type?.match(
          performance.getEntriesByName(src).some((load) => load.transferSize > 2e3)
            ? '^b'
            : '^[rb]',
        ) ||
        // A page in the frame of an assistant was not clicked.
        parent !== self
      ) {
        return
      }
      // In a single-page store, the router may have changed the location since.
      const url = new URL(
        (navigation?.name || location.href).replace(PACKED.grokMark, PACKED.grokTag),
      )
      const from = document.referrer.split(/[/:]+/, 2)
      const clickId = url.search.match(PACKED.clickId)?.[1]
      const tags = url.search.match(/utm_\w+=[^&]{1,100}/g)?.join('&') || ''
      const isOwn = from[1] && isSameSite(from[1], url.hostname)
      const found = classifyLanding(!isOwn && from[1], url, clickId)
      if (found) {
        begin = () => {
          touch = {
            // When it began, so that who joins an order later knows how old it is, and what sets
            // it apart from others of that moment. It need not be secret.
            id: `${Date.now()}-${(Math.random() * 2e9) | 0}`,
            surface: found[0],
            confidence: found[1],
          } satisfies Begun
          // Storage and products are called in tasks of their own: the first access to storage is
          // slow, and most products throw, which is slow too. What may be a copied link is kept
          // from products.
          setTimeout(session)
          if (found[1] > 0.5) setTimeout(tellAll, 0, productsOf(layerOf, found, tags), 100)
          fetch(dataset.endpoint || src.replace(/[^/]*\?/, 'sessions?'), {
            credentials: 'omit',
            method: 'POST',
            keepalive: true,
            body: JSON.stringify({
              ...touch,
              referrer: from.join('://'),
              // Only the name of a click id is sent, empty if there is none. The path is in the
              // fragment, so that servers that keep no paths can leave it out.
              landing: `${url.origin}?${clickId || ''}=1&${tags}#${url.pathname}`,
            } satisfies Omit<SessionBeacon, keyof Begun>),
          })
            .then((response) => response.json())
            .then((answer) => {
              // The server ignores visits that it does not attribute to AI, and bots: then no
              // orders are joined, as if consent were refused.
              if (answer.reason) {
                begin = touch = null
                api.consent(false)
              }
            })
            .catch(caught)
        }
      }
      // What is advertised, or has a campaign, begins another visit than the one that an earlier
      // page of this tab kept. So does a link in a search engine, and any other after half an hour
      // without a page: sooner it may be the way back from a payment.
      if (
        !isOwn &&
        (found ||
          clickId ||
          tags ||
          (from[1] &&
            (from[1].match('^www.(goo|bin)g') ||
              Date.now() - JSON.parse(sessionStorage.aisle).seen > 18e5)))
      ) {
        // In the cookie, the visit before may be the first of an order.
        if (found) touch = NEW
        else forget()
      }
    })
    setTimeout(session)
    addEventListener('pagehide', session)

    window.aisle = api = {
      session,
      consent: (granted) => {
        said = granted
        session()
      },
      push: (callback) => caught(() => callback(api)),
    }
    listOf(queue).forEach(api.push)
  })

if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
