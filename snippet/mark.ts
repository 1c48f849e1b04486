import { index } from './facts.ts'
import type { Layer } from './page.ts'

/** Whose referrers GA4 puts into its AI Assistant channel itself. */
const KNOWN_TO_GA4 = /chatgpt|gemini|deepseek|copilot|grok/

/**
 * How each analytics product is told of a session. One that is not on the page throws or answers
 * nothing. `tags` are the campaign parameters of the landing page, the source first.
 */
export function productsOf(
  layerOf: () => Layer,
  surface: string,
  confidence: number,
  tags: readonly string[],
): (() => unknown)[] {
  const properties = { ai_surface: surface, ai_confidence: confidence }
  const source = index[surface] || surface
  const isNews = tags[0] || !KNOWN_TO_GA4.test(surface)
  // Unspecified: a medium or a campaign beside the source is somebody's intent, and stays.
  const campaign = isNews &&
    !tags[1] && {
      campaign_source: source,
      campaign_name: '(ai-assistant)',
      campaign_medium: 'ai-assistant',
    }
  // Google's script reads its layer in order, and has a `push` of its own in it when it begins.
  const isRead = () => layerOf().push !== [].push

  return [
    // GA4: what is set before `config` is the campaign of the first page view.
    () => {
      if (isNews) {
        if (!campaign || isRead()) gtag('event', 'ai_session', properties)
        else {
          gtag('set', campaign)
          layerOf().unshift(layerOf().pop())
        }
      }
      return true
    },
    () => [posthog.register_for_session(properties)],
    // Umami and Plausible know assistants by referrer and utm_source; the event says how surely.
    () => [umami.track('ai_session', properties)],
    () =>
      layerOf().some((entry) => entry?.event === 'gtm.js') &&
      layerOf()[isRead() ? 'push' : 'unshift']({ event: 'ai_session', ...properties, ...campaign }),
    () => [plausible('ai_session', { props: properties, interactive: false })],
    // Ahead of `trackPageView`, it puts the visit into Matomo's channel of AI assistants.
    () => _paq.unshift(['setReferrerUrl', `https://${source}/`]),
  ]
}
