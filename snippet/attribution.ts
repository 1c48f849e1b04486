import { attempt } from './attempt.ts'
import { classifyLanding } from './classify-landing.ts'
import { mayStore } from './consent.ts'
import { productsOf } from './mark.ts'
import type { Packed } from './pack.ts'
import type { Api, Layer } from './page.ts'
import { tellAll } from './tell-all.ts'

declare const PACKED: Packed

/** The session that an assistant brought, by the first touch of it in this tab. */
export interface Touch {
  id: string
  surface: string
  confidence: number
}

// A page may serve it under a name of its own; then it is the script at work.
const script =
  document.querySelector<HTMLScriptElement>('[src*="attribution.js?id="]') ||
  (document.currentScript as HTMLScriptElement)

const run = () => {
  const { src, dataset } = script
  const queue = window.aisle || []
  if (queue.session) return
  let said: boolean | undefined
  let touch: Touch | null = null

  const layerOf = (): Layer => (window as any)[dataset.layer || 'dataLayer'] || []
  const session = () => {
    attempt(() => {
      const storage = sessionStorage
      if (said === false) delete storage.aisle
      if (!mayStore(said, dataset.consent === 'required', layerOf())) return
      if (touch) storage.aisle = JSON.stringify(touch)
      else touch = JSON.parse(storage.aisle || null)
    })
    return touch
  }

  const [navigation = {}]: Partial<PerformanceNavigationTiming>[] =
    performance.getEntriesByType('navigation')
  const url = new URL(navigation.name || location.href)
  const from = attempt(() => new URL(document.referrer))
  const paid = RegExp(PACKED.clickId).test(url.search)
  const found = !session() && !/^[rb]/.test(navigation.type || '') && classifyLanding(from, url, paid)
  if (found) {
    const [surface, confidence] = found
    const id = crypto.randomUUID()
    touch = { id, surface, confidence }
    session()
    const tags = url.search.match(/utm_(source|medium|campaign)=[^&]{1,99}/g) || []
    attempt(() =>
        src && fetch(src.replace(/[^/]*\?/, 'sessions?'), {
          method: 'POST',
          body: JSON.stringify({
            ...touch,
            referrer: from ? `${from.protocol}//${from.host}` : '',
            landing: `${url.origin}/?${paid ? 'gclid=1&' : ''}${tags.join('&')}`,
            model: PACKED.model,
          }),
          keepalive: true,
          credentials: 'omit',
        }).catch(() => {}))
    tellAll(productsOf(layerOf, surface, confidence, tags), 100)
  }
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
const start = () => attempt(run)
// A page that was loaded ahead may never be shown.
if (document.prerendering) document.addEventListener('prerenderingchange', start)
else start()
