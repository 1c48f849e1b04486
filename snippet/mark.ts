import type { Layer, Page } from './page.ts'

/** How each analytics product is told of a session. One that is not on the page throws. */
export function productsOf(
  page: Page,
  layerOf: () => Layer,
  surface: string,
  confidence: number,
  source: string,
  campaign: object | null | undefined,
): (() => unknown)[] {
  const properties = { ai_surface: surface, ai_confidence: confidence }
  // Google's script reads the layer in order, and has a `push` of its own in it when it begins.
  const isRead = () => layerOf().push !== [].push
  const put = (entry: object) => layerOf()[isRead() ? 'push' : 'unshift'](entry as Layer[0])

  return [
    // GA4: what is set before `config` is the campaign of the first page view.
    () =>
      page.gtag &&
      campaign !== undefined &&
      put(
        campaign && !isRead()
          ? command('set', campaign)
          : command('event', 'ai_session', properties),
      ),
    () => {
      if (layerOf().some((entry) => entry && entry.event === 'gtm.js')) put({ event: 'ai_session', ...properties, ...campaign })
      else throw 0
    },
    // Ahead of `trackPageView`, it puts the visit into Matomo's channel of AI assistants.
    () => page._paq[page._paq.unshift ? 'unshift' : 'push'](['setReferrerUrl', `https://${source}/`]),
    // Plausible reads its options when it loads.
    () => {
      const { o: options, l: hasLoaded } = page.plausible
      if (!options || hasLoaded) return page.plausible('ai_session', { props: properties })
      const { transformRequest } = options
      options.transformRequest = (request) => {
        request.u = request.u.replace(/[?#]|$/, (at) => `?utm_source=${source}${at === '?' ? '&' : at}`)
        request.p = { ...request.p, ...properties }
        return transformRequest ? transformRequest(request) : request
      }
    },
    () => page.posthog.register_for_session(properties),
    // Named, it is an event: without a name, Umami would count a second page view.
    () =>
      page.umami.track((event) => ({
        ...event,
        name: 'ai_session',
        tag: `ai:${surface}`,
        data: properties,
      })),
  ]
}

/** Google's script takes commands as `arguments` only. */
function command(..._: unknown[]): IArguments {
  // biome-ignore lint/complexity/noArguments: an array would be another kind of message
  return arguments
}
