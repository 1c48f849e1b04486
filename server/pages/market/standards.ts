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
  /** The gaps by which an audit sees it, or why it does not look, as a sentence. */
  seenBy: readonly GapId[] | string
}

const READ = '2026-11-30'
const READ_AGAIN = '2026-12-01'
/** An audit asks only for what somebody who sells reads. */
const NOT_ASKED = 'Not asked for: no assistant that people shop with reads it.'

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
    seenBy: [
      'signed_agents_refused',
      'ucp_signature_not_asked_for',
      'signature_directory_unusable',
    ],
  },
  {
    name: 'Content-Signal in robots.txt',
    purpose: 'Says whether pages may be searched, given to a model as input, or used for training.',
    readers:
      'It binds no crawler. Cloudflare writes it into the robots.txt that it manages, and its own agent keeps to ai-input.',
    need: 'no',
    advice: 'You need none. If you have one, do not say ai-input=no: that refuses assistants.',
    source: 'https://developers.cloudflare.com/ai-crawl-control/reference/glossary',
    read: READ_AGAIN,
    seenBy: ['content_signal_refuses_agents'],
  },
  {
    name: 'OAuth metadata (RFC 8414, RFC 9728)',
    purpose: 'Tells a client where a person signs in, and for which service.',
    readers: 'Clients of MCP servers with accounts, and UCP’s identity linking.',
    need: 'no',
    advice: 'Only if agents are to act for a customer’s account. Buying as a guest needs none.',
    source: 'https://datatracker.ietf.org/doc/html/rfc9728/',
    read: null,
    seenBy:
      'Not asked for: an audit signs in to no account, and a purchase as a guest needs no account.',
  },
  {
    name: 'x402',
    purpose: 'Charges for a request itself, by HTTP 402 and mostly in stablecoins.',
    readers: 'Sellers of APIs and of content, and agents with a wallet (Coinbase, Circle).',
    need: 'no',
    advice: 'It sells answers of a server, not goods with shipping. Leave it.',
    source: 'https://docs.cdp.coinbase.com/x402',
    read: READ_AGAIN,
    seenBy: 'Not asked for: a page that wants to be paid for shows as one that does not answer.',
  },
  {
    name: 'AP2',
    purpose: 'Proves that a person agreed to a payment that an agent makes (v0.2).',
    readers: 'Agents over A2A, and UCP with mandates.',
    need: 'no',
    advice: 'Your payment provider’s matter; nothing to publish until a route asks for it.',
    source: 'https://ap2-protocol.org/',
    read: READ,
    seenBy:
      'Not to be seen from outside: a mandate travels inside a payment, and an audit makes none.',
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
    seenBy:
      'Not to be seen in what the server sends: scripts register the tools, and an audit runs none.',
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
    seenBy: NOT_ASKED,
  },
  {
    name: 'llms-full.txt',
    purpose: 'Holds the whole text of a site’s documentation in one file.',
    readers: 'Coding tools; platforms for documentation, such as Mintlify, write it by themselves.',
    need: 'no',
    advice: 'A catalog in one text helps nobody: prices and stock change too fast. Use a feed.',
    source: 'https://raw.githubusercontent.com/mintlify/docs/main/ai/llmstxt.mdx',
    read: READ_AGAIN,
    seenBy: NOT_ASKED,
  },
  {
    name: 'Markdown by Accept',
    purpose: 'Answers a page as Markdown where text/markdown is asked for.',
    readers: 'Coding tools that read documentation.',
    need: 'no',
    advice: 'Agents read a shop’s HTML and its markup; leave it.',
    source: 'https://developers.cloudflare.com/docs-for-agents/',
    read: READ,
    seenBy: NOT_ASKED,
  },
  {
    name: 'Agent skills',
    purpose: 'Instructions for coding agents at /.well-known/agent-skills.',
    readers: 'Coding tools, for products that developers use.',
    need: 'no',
    advice: 'For APIs and tools, not for goods.',
    source: 'https://developers.cloudflare.com/docs-for-agents/',
    read: READ,
    seenBy: NOT_ASKED,
  },
  {
    name: 'MCP server card',
    purpose: 'Says where a domain has its MCP server, and what it is (SEP-2127).',
    readers:
      'Directories of MCP servers. It is an extension of its own, and not in the core of 2026-07-28.',
    need: 'no',
    advice:
      'Agents that shop find your MCP service in the UCP profile; plugins are entered by hand.',
    source: 'https://modelcontextprotocol.io/seps/2127-mcp-server-cards',
    read: READ_AGAIN,
    seenBy: NOT_ASKED,
  },
  {
    name: 'API catalog (RFC 9727)',
    purpose: 'Lists the APIs of a host at /.well-known/api-catalog.',
    readers: 'Directories of APIs. A store’s API is found by its UCP profile.',
    need: 'no',
    advice: 'Leave it.',
    source: 'https://www.rfc-editor.org/rfc/rfc9727',
    read: null,
    seenBy: NOT_ASKED,
  },
  {
    name: 'DNS records for agents',
    purpose: 'Would name the agents of a domain in the DNS.',
    readers: 'Drafts and scanners; no vendor of this page asks for it.',
    need: 'no',
    advice: 'Leave it.',
    source: 'https://datatracker.ietf.org/doc/search?name=agent+dns',
    read: null,
    seenBy: 'Not asked for: there is no agreed name to ask for.',
  },
]

/** What an audit saw of one standard. */
export function standardSeen({ seenBy }: Standard, result: AuditResult): string {
  if (typeof seenBy === 'string') return seenBy
  const open = result.gaps.filter(({ id }) => seenBy.some((each) => each === id))
  if (open.length > 0) return open.map(({ label }) => `${label}.`).join(' ')
  const passed = seenBy.some((id) => result.passed.includes(gapWords(id).passed))
  if (passed) return 'Seen, and in order.'
  const skipped = result.skipped.some(({ id }) => seenBy.some((each) => each === id))
  return skipped ? 'It could not be judged.' : 'Not seen: the store has none, or need not.'
}
