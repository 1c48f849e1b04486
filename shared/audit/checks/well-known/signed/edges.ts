import type { Fetched } from '../../../../web/http/fetched.ts'

interface Edge {
  name: string
  isSeenIn: (headers: Readonly<Record<string, string>>) => boolean
  /** What lets verified agents in, as sentences. */
  letIn: string
  /** Its own documentation. */
  source: string
}

/** The day on which the documentation was read. */
const READ_ON = '2026-11-30'

/** What stands before shops and turns robots away, the more particular signs first. */
const EDGES: readonly Edge[] = [
  {
    name: 'Cloudflare',
    isSeenIn: ({ server, ...headers }) =>
      /^cloudflare$/i.test(server ?? '') || headers['cf-ray'] !== undefined,
    letIn:
      'In Security rules, create a custom rule with the action Skip for what should be skipped, such as Super Bot Fight Mode; its expression can name cf.bot_management.verified_bot or, on an Enterprise plan with Bot Management, cf.bot_management.signed_agent. Bot Fight Mode of the Free plan cannot be skipped, only turned off.',
    source: 'https://developers.cloudflare.com/waf/custom-rules/skip/',
  },
  {
    name: 'AWS WAF',
    isSeenIn: (headers) =>
      headers['x-amz-cf-id'] !== undefined ||
      headers['x-amzn-waf-action'] !== undefined ||
      /^(?:awselb|cloudfront)/i.test(headers.server ?? ''),
    letIn:
      'After the Bot Control rule group, add a rule that matches the label awswaf:managed:aws:bot-control:bot:verified, with the action Allow.',
    source:
      'https://docs.aws.amazon.com/waf/latest/developerguide/waf-bot-control-example-allow-verified-bots.html',
  },
  {
    name: 'Akamai',
    isSeenIn: (headers) =>
      /^akamai/i.test(headers.server ?? '') || headers['x-akamai-transformed'] !== undefined,
    letIn:
      'In Bot Manager, change the action of the category of Akamai-categorized bots that the agent is in, or define the agent in a custom category and allow that.',
    source: 'https://techdocs.akamai.com/cloud-security/docs/detection-methods',
  },
  {
    name: 'Fastly',
    isSeenIn: (headers) =>
      /^cache-/i.test(headers['x-served-by'] ?? '') ||
      headers['fastly-restarts'] !== undefined ||
      headers['x-fastly-request-id'] !== undefined,
    letIn:
      'With Bot Management, exempt requests for which fastly.bot.category.is_verified is true in VCL from the rule that refuses them.',
    source:
      'https://www.fastly.com/documentation/reference/vcl/variables/miscellaneous/fastly-bot-category-is-verified/',
  },
  {
    name: 'nginx',
    isSeenIn: (headers) => /^(?:nginx|openresty)/i.test(headers.server ?? ''),
    letIn:
      'Find the map or if that decides by the User-Agent, and take the agent out of it. A map over $http_signature_agent tells only what a request claims: verify the signature in the shop or at a proxy before it opens more.',
    source: 'https://nginx.org/docs/http/ngx_http_map_module.html',
  },
]

/** How to let verified agents in at what answered, as sentences; empty if it is not known. */
export function howToLetIn(fetched: Fetched): string {
  const headers = fetched.kind === 'answer' ? fetched.headers : {}
  const edge = EDGES.find(({ isSeenIn }) => isSeenIn(headers))
  if (edge === undefined) return ''
  return `It answers through ${edge.name}. ${edge.letIn} (${edge.source}, read on ${READ_ON})`
}
