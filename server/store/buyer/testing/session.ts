import { callOutcomeOf } from '../../checkout/answers.ts'
import { createCheckout } from '../../checkout/checkout.ts'
import type { StoreDeps } from '../../checkout/deps.ts'
import type { NewCheckout } from '../../checkout/steps/price.ts'
import { ADDRESS } from '../../testing/store.ts'

/** Opens a session as an adapter of official UCP does, and gives its id. */
export async function openOfficial(
  deps: StoreDeps,
  change: Partial<NewCheckout> = {},
): Promise<string> {
  const answer = await createCheckout(deps, async () => null, {
    protocol: 'ucp_official',
    host: 'shop.example',
    buyer: 'a platform',
    counted: 'a platform',
    keyed: null,
    items: [{ product_id: 'ao-1101', quantity: 2 }],
    address: ADDRESS,
    attribution: null,
    dryRun: false,
    official: {
      state: {
        version: '2026-08-25',
        platform: 'https://agent.example/ucp.json',
        webhook_url: null,
        shown: { buyer: { email: 'ada@buyer.example' } },
      },
      shippingOptionId: 'standard',
    },
    ...change,
  })
  const outcome = callOutcomeOf(answer)
  if ('checkout_id' in outcome) return outcome.checkout_id
  throw new Error(`The session was not opened: ${JSON.stringify(outcome)}`)
}

/** The fields of the form on a page, as a browser would send them. */
export function fieldsOn(page: string): Record<string, string> {
  const plain = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const attribute = (tag: string, name: string) =>
    plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  const inputs = [...page.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
  const kept = inputs.filter((tag) => !tag.includes('type="radio"') || / checked\b/.test(tag))
  const country = /<option value="(\w+)" selected>/.exec(page)?.[1]
  return {
    ...Object.fromEntries(kept.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')])),
    ...(country !== undefined && { country }),
  }
}
