import { type Found, findSource } from './facts.ts'
import type { Packed } from './pack.ts'
import { caught, type Layer } from './page.ts'

declare const PACKED: Packed

/** What `gtag(…)` pushes: Google does not accept an array as a command. */
const commandOf: (...command: unknown[]) => object = function () {
  // biome-ignore lint/complexity/noArguments: as Google's does
  return arguments
}

/**
 * How each analytics product gets the session; each throws or returns true while the product is not
 * on the page. `tags` are the campaign parameters of the landing page, verbatim.
 */
export const productsOf = (
  layerOf: () => Layer,
  [surface, confidence, host]: Found,
  tags: string,
): (() => unknown)[] => {
  const properties = { ai_surface: surface, ai_confidence: confidence }
  // Unspecified: a campaign tag was set on purpose and stays, unless it only names the assistant.
  // Without any, GA4 puts these referrers into its AI Assistant channel itself
  // (https://support.google.com/analytics/answer/9756891).
  const campaign = (tags
    ? findSource(tags.replace('utm_source=', ''))
    : !surface.match(PACKED.knownToGa4)) && {
    campaign_source: host,
    campaign_name: '(ai-assistant)',
    campaign_medium: 'ai-assistant',
  }
  // Google's script reads its layer in order, and replaces `push` when it starts.
  const isRead = () => layerOf().push !== [].push

  return [
    // GA4: what is set before `config` is the campaign of the first page view.
    // https://support.google.com/analytics/answer/11259997
    () => {
      if (!tags && !campaign) return undefined
      if (campaign && !isRead()) return gtag && layerOf().unshift(commandOf('set', campaign))
      // A page that has `gtag` only for consent has no GA4 besides Tag Manager, which would take
      // this for a second event.
      return (
        layerOf().every((entry) => entry?.[0] !== 'config') ||
        gtag?.('event', 'ai_session', properties)
      )
    },
    () => {
      const message = { event: 'ai_session', ...properties, ...campaign }
      const layer = layerOf()
      const at = layer.findIndex((entry) => entry?.event === 'gtm.js')
      if (at < 0) return true
      // Google's `push` returns true as well. Before Google reads the layer: before the container,
      // and after what the page says first, such as its consent.
      if (isRead()) layer.push(message)
      else layer.splice(at, 0, message)
      return undefined
    },
    () => posthog.register_for_session(properties),
    // Without a name it would be a second page view.
    () =>
      umami.track((payload) => ({
        ...payload,
        data: properties,
        name: 'ai_session',
        tag: `ai:${surface}`,
      })),
    // Plausible: until its script starts, `plausible.o` holds its options. They put its first page
    // view into its channel of AI assistants; later, only an event can be added.
    // https://plausible.io/docs/script-extensions
    () => {
      const options = plausible.o
      const transform = options?.transformRequest
      if (options) {
        options.transformRequest = (given) => {
          const payload = transform ? transform(given) : given
          caught(() => {
            payload.p = { ...properties, ...payload.p }
            // Of several sources, Plausible takes `utm_source` first and `ref` last, and of two
            // with one name the last: what the page itself names stays.
            payload.u = payload.u.replace(/\?|(?=#)|$/, `?ref=${host}&`)
          })
          return payload
        }
      } else plausible('ai_session', { props: properties, interactive: false })
      return undefined
    },
    // Before `trackPageView`, it puts the visit into Matomo's channel of AI assistants.
    // https://developer.matomo.org/api-reference/tracking-javascript
    () => _paq.unshift(['setReferrerUrl', `https://${host}/`]),
  ]
}
