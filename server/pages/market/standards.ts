import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { type GapId, gapWords } from '../../../shared/audit/words.ts'

/** One of the standards that scanners count. */
export interface Standard {
  name: string
  /** What it is for. */
  purpose: string
  /** Who reads it today. */
  readers: string
  need: 'yes' | 'one route' | 'no'
  /** Whether a shop needs it, in a sentence. */
  advice: string
  /** The page that this rests on, and the day on which it was read; null: it does not change. */
  source: string
  read: string | null
  /** The gaps by which an audit sees it; empty where it does not look. */
  seenBy: readonly GapId[]
}

const READ = '2026-11-30'

/** What a shop needs first, then what one route needs, then what no assistant that sells reads. */
export const STANDARDS: readonly Standard[] = [
  {
    name: 'robots.txt (RFC 9309)',
    purpose: 'Says which crawlers may read which pages.',
    readers: 'OAI-SearchBot, Googlebot, bingbot, PerplexityBot, Amazonbot and others.',
    need: 'yes',
    advice: 'Allow the crawlers of assistants that people shop with.',
    source: 'https://help.openai.com/en/articles/12627856-publishers-and-developers-faq',
    read: READ,
    seenBy: ['robots_blocks_ai_agents'],
  },
  {
    name: 'Product markup (schema.org)',
    purpose: 'States name, price, currency and stock in the page itself.',
    readers: 'Search engines, and assistants that open product pages.',
    need: 'yes',
    advice: 'Mark up each product page; most shop software does.',
    source: 'https://developers.google.com/search/docs/appearance/structured-data/merchant-listing',
    read: READ,
    seenBy: ['product_schema_missing', 'product_schema_incomplete', 'jsonld_broken'],
  },
  {
    name: 'Product feed',
    purpose: 'Lists every product with its data, for upload or fetching.',
    readers: 'ChatGPT, Google, Microsoft and PayPal’s Store Sync.',
    need: 'yes',
    advice: 'It is the shortest way to be shown in ChatGPT and on Google.',
    source: 'https://developers.openai.com/commerce/product-feeds/',
    read: READ,
    seenBy: ['feed_missing', 'feed_unreadable', 'feed_items_incomplete'],
  },
  {
    name: 'UCP',
    purpose: 'Catalog, cart and checkout for agents, found by /.well-known/ucp.',
    readers: 'Google (AI Mode, Gemini), Shopify’s agents and others.',
    need: 'one route',
    advice:
      'For checkout on Google, or to take over carts from it. On Shopify it is there already.',
    source: 'https://developers.google.com/merchant/ucp/guides/overview/ucp-profile',
    read: READ,
    seenBy: ['well_known_missing', 'well_known_invalid', 'ucp_version_outdated'],
  },
  {
    name: 'ACP',
    purpose: 'Checkout for agents, with a payment token that the buyer’s assistant delegates.',
    readers: 'Payment providers’ suites for agents. ChatGPT has ended its own checkout.',
    need: 'one route',
    advice: 'Only where your payment provider offers it to you.',
    source: 'https://developers.openai.com/plugins/build/monetization',
    read: READ,
    seenBy: ['acp_discovery_invalid', 'acp_create_unreachable', 'acp_services_missing'],
  },
  {
    name: 'MCP server',
    purpose: 'Offers tools that an assistant calls, such as a catalog search.',
    readers: 'ChatGPT plugins; UCP over MCP, which Google has in early access.',
    need: 'one route',
    advice: 'For a plugin in ChatGPT. UCP over REST does not need it.',
    source: 'https://developers.google.com/merchant/ucp/guides/overview/mcp-transport',
    read: READ,
    seenBy: ['ucp_tools_missing', 'ucp_transport_unreachable'],
  },
  {
    name: 'Web Bot Auth (RFC 9421)',
    purpose: 'Agents sign their requests, so that a firewall can tell them from other bots.',
    readers: 'Shopify and CDNs check it; ChatGPT’s agent and Visa’s agents sign.',
    need: 'one route',
    advice: 'You sign nothing. Have your CDN let signed agents through.',
    source:
      'https://shopify.dev/changelog/posts/bots-and-agents-should-identify-themselves-via-web-bot-auth',
    read: READ,
    seenBy: [],
  },
  {
    name: 'AP2',
    purpose: 'Proves that a person agreed to a payment that an agent makes (v0.2).',
    readers: 'Agents over A2A, and UCP with mandates.',
    need: 'no',
    advice: 'Your payment provider’s matter; nothing to publish until a route asks for it.',
    source: 'https://ap2-protocol.org/',
    read: READ,
    seenBy: [],
  },
  {
    name: 'WebMCP',
    purpose: 'Offers tools inside a page to the agent in the buyer’s browser.',
    readers: 'ChatGPT’s desktop app; Chrome from 149 and Edge from 150, each on trial.',
    need: 'no',
    advice: 'It still changes. On Shopify it is there; elsewhere wait, or try it on one form.',
    source:
      'https://raw.githubusercontent.com/webmachinelearning/webmcp/main/implementation-status.md',
    read: READ,
    seenBy: [],
  },
  {
    name: 'A2A agent card',
    purpose: 'Describes an agent that other agents can talk to.',
    readers: 'Agents of businesses; no assistant that shops asks stores for it.',
    need: 'no',
    advice: 'A shop is not an agent. Publish one only if your UCP profile offers A2A.',
    source: 'https://ap2-protocol.org/a2a-extension',
    read: READ,
    seenBy: ['ucp_agent_card_invalid'],
  },
  {
    name: 'llms.txt',
    purpose: 'Lists the important pages of a site in Markdown.',
    readers:
      'Coding tools that read documentation. Google’s guide is quoted as saying that Search ignores it.',
    need: 'no',
    advice: 'It neither harms nor sells. Shopify writes one by itself.',
    source: 'https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: READ,
    seenBy: [],
  },
  {
    name: 'Markdown by Accept',
    purpose: 'Answers a page as Markdown where text/markdown is asked for.',
    readers: 'Coding tools that read documentation.',
    need: 'no',
    advice: 'Agents read a shop’s HTML and its markup; leave it.',
    source: 'https://developers.cloudflare.com/docs-for-agents/',
    read: READ,
    seenBy: [],
  },
  {
    name: 'Agent skills',
    purpose: 'Instructions for coding agents at /.well-known/agent-skills.',
    readers: 'Coding tools, for products that developers use.',
    need: 'no',
    advice: 'For APIs and tools, not for goods.',
    source: 'https://developers.cloudflare.com/docs-for-agents/',
    read: READ,
    seenBy: [],
  },
  {
    name: 'API catalog (RFC 9727)',
    purpose: 'Lists the APIs of a host at /.well-known/api-catalog.',
    readers: 'Directories of APIs. A store’s API is found by its UCP profile.',
    need: 'no',
    advice: 'Leave it.',
    source: 'https://www.rfc-editor.org/rfc/rfc9727',
    read: null,
    seenBy: [],
  },
  {
    name: 'DNS records for agents',
    purpose: 'Would name the agents of a domain in the DNS.',
    readers: 'Drafts and scanners; no vendor of this page asks for it.',
    need: 'no',
    advice: 'Leave it.',
    source: 'https://datatracker.ietf.org/doc/search?name=agent+dns',
    read: null,
    seenBy: [],
  },
]

/** What an audit saw of one standard. */
export function standardSeen({ seenBy }: Standard, result: AuditResult): string {
  if (seenBy.length === 0) return 'An audit does not look for it.'
  const open = result.gaps.filter(({ id }) => seenBy.some((each) => each === id))
  if (open.length > 0) return open.map(({ label }) => `${label}.`).join(' ')
  const passed = seenBy.some((id) => result.passed.includes(gapWords(id).passed))
  if (passed) return 'Seen, and in order.'
  const skipped = result.skipped.some(({ id }) => seenBy.some((each) => each === id))
  return skipped ? 'It could not be judged.' : 'Not seen: the store has none, or need not.'
}
