import { caught } from './caught.ts'
import { type Found, findSource } from './facts.ts'
import type { Entry, Layer } from './page.ts'

/**
 * How each analytics product is told of a session; while one is not on the page, its call throws.
 * `tags` are the campaign parameters of the landing page, as they stand there.
 */
export function productsOf(
  layerOf: () => Layer,
  [surface, confidence, host]: Found,
  tags: string,
): (() => unknown)[] {
  const properties = { ai_surface: surface, ai_confidence: confidence }
  // Unspecified: a tag is somebody's intent, and stays, unless it only names the assistant. Without
  // any, GA4 puts the referrers of these into its AI Assistant channel itself.
  const campaign = (tags
    ? findSource(tags.replace('utm_source=', ''))
    : !/chatgpt|gemini|deepseek|copilot|grok/.test(surface)) && {
    campaign_source: host,
    campaign_name: '(ai-assistant)',
    campaign_medium: 'ai-assistant',
  }
  // Google's script reads its layer in order, and has a `push` of its own in it when it begins.
  const isRead = () => layerOf()?.push !== [].push

  return [
    // GA4: what is set before `config` is the campaign of the first page view.
    () => {
      if (tags || campaign) {
        if (isThere(gtag) && campaign && !isRead()) layerOf().unshift(commandOf('set', campaign))
        else gtag('event', 'ai_session', properties)
      }
    },
    () => posthog.register_for_session(properties),
    // Without a name it would be a second page view.
    () =>
      umami.track((payload) => ({
        ...payload,
        name: 'ai_session',
        data: properties,
        tag: `ai:${surface}`,
      })),
    () =>
      present(layerOf().find((entry) => entry?.event === 'gtm.js')).event &&
      layerOf()[isRead() ? 'push' : 'unshift']({ event: 'ai_session', ...properties, ...campaign }),
    // Plausible: until its script begins, `plausible.o` holds its options. They put its first page
    // view into its channel of AI assistants; later, an event is all that can be added.
    () => {
      const options = plausible.o
      const transform = options?.transformRequest
      if (options) {
        options.transformRequest = (payload) => {
          if (transform) payload = transform(payload)
          caught(() => {
            payload.p = { ...properties, ...payload.p }
            if (!/[?&](utm_source|source|ref)=/.test(payload.u)) {
              payload.u = payload.u.replace(/\?|(?=#)|$/, `?utm_source=${host}&`)
            }
          })
          return payload
        }
      } else plausible('ai_session', { props: properties, interactive: false })
    },
    // Ahead of `trackPageView`, it puts the visit into Matomo's channel of AI assistants.
    () => _paq.unshift(['setReferrerUrl', `https://${host}/`]),
  ]
}

/** What `gtag(…)` pushes: Google takes no array for a command. */
function commandOf(...command: unknown[]): Entry
function commandOf(): object {
  // biome-ignore lint/complexity/noArguments: as Google's does
  return arguments
}

/** Without Tag Manager there is none, and its use throws. */
function present(entry: Entry | undefined): Entry {
  return entry as Entry
}

/** Its name alone throws where there is none. */
function isThere(command: unknown): boolean {
  return command as boolean
}
