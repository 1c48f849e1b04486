import { attempt } from './attempt.ts'
import { classifyLanding } from './classify-landing.ts'
import { mayStore } from './consent.ts'
import { sourceOf } from './facts.ts'
import { productsOf } from './mark.ts'
import type { Packed } from './pack.ts'
import type { Api, Layer, Page } from './page.ts'
import { tellAll } from './tell-all.ts'

declare const PACKED: Packed

/** The session that an assistant brought, by the first touch of it in this tab. */
export interface Touch {
  id: string
  surface: string
  confidence: number
}

/** Whose referrers GA4 puts into its AI Assistant channel itself. */
const KNOWN_TO_GA4 = /^(chatgpt|gemini|deepseek|copilot|grok)$/

export function start(page: Page & Record<string, any>, { src, dataset }: HTMLScriptElement): void {
  const queue = page.aisle || []
  if (queue.session) return
  let said: boolean | undefined
  let touch: Touch | null = null

  const layerOf = (): Layer => page[dataset.layer || 'dataLayer'] || []
  const session = () => {
    attempt(() => {
      const { sessionStorage, navigator } = page
      if (said === false) delete sessionStorage.aisle
      if (!mayStore(navigator, said, dataset.consent === 'required', layerOf())) return
      if (touch) sessionStorage.aisle = JSON.stringify(touch)
      else touch = JSON.parse(sessionStorage.aisle || null)
    })
    return touch
  }

  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { name = location.href, type = '' } = navigation || {}
  const url = new URL(name)
  const from = document.referrer ? new URL(document.referrer) : null
  const paid = RegExp(PACKED.clickId).test(url.search)
  const found = !session() && !/^(rel|back)/.test(type) && classifyLanding(from, url, paid)
  if (found) {
    touch = {
      id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      surface: found[0],
      confidence: found[1] / 100,
    }
    session()
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
  attempt(() => {
    page.aisle = api
    queue.forEach(api.push)
  })
  if (!found) return
  const [surface, percent] = found
  const source = sourceOf(surface)
  const tags = url.search.match(/\butm_(source|medium|campaign)=[^&]{1,99}/g) || []
  tellAll([
    () =>
      fetch(src.replace(/[^/]*\?/, 'sessions?'), {
        method: 'POST',
        body: JSON.stringify({
          ...touch,
          referrer: from ? `${from.protocol}//${from.host}` : '',
          landing: `${url.origin}/?${paid ? 'gclid=1&' : ''}${tags.join('&')}`,
          model: PACKED.model,
        }),
        keepalive: true,
        credentials: 'omit',
      }).catch(() => {}),
    ...productsOf(
      page,
      layerOf,
      surface,
      percent / 100,
      source,
      tags[1]
        ? null
        : tags[0] || !KNOWN_TO_GA4.test(surface)
          ? {
              campaign_source: source,
              campaign_medium: 'ai-assistant',
              campaign_name: '(ai-assistant)',
            }
          : undefined,
    ),
  ])
}
