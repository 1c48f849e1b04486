/** Where an authority is published, by the words with which `authority` names it. */
const PUBLISHED: readonly { names: string; url: string }[] = [
  { names: 'RFC 9309', url: 'https://www.rfc-editor.org/rfc/rfc9309' },
  { names: 'Content Signals', url: 'https://contentsignals.org/' },
  { names: 'AIPREF', url: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/' },
  {
    names: 'Google robots meta tag',
    url: 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag',
  },
  {
    names: 'Google AI features',
    url: 'https://developers.google.com/search/docs/appearance/ai-features',
  },
  {
    names: 'Google spam policies',
    url: 'https://developers.google.com/search/docs/essentials/spam-policies',
  },
  { names: 'Vendors of AI agents', url: 'https://developers.openai.com/api/docs/bots' },
  {
    names: 'Web Bot Auth',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/',
  },
  { names: 'RFC 9421', url: 'https://www.rfc-editor.org/rfc/rfc9421' },
  { names: 'RFC 9110', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  { names: 'MCP', url: 'https://modelcontextprotocol.io/specification/' },
  { names: 'JSON-RPC 2.0', url: 'https://www.jsonrpc.org/specification' },
  { names: 'Shopify/ucp-cli', url: 'https://github.com/Shopify/ucp-cli' },
  { names: 'RFC 4180', url: 'https://www.rfc-editor.org/rfc/rfc4180' },
  { names: 'XML 1.0', url: 'https://www.w3.org/TR/xml/' },
  {
    names: 'Google merchant listing structured data',
    url: 'https://developers.google.com/search/docs/appearance/structured-data/merchant-listing',
  },
  {
    names: 'Google organization structured data',
    url: 'https://developers.google.com/search/docs/appearance/structured-data/organization',
  },
  {
    names: 'Google site names',
    url: 'https://developers.google.com/search/docs/appearance/site-names',
  },
  {
    names: 'Google Merchant Center, product data specification',
    url: 'https://support.google.com/merchants/answer/7052112',
  },
  {
    names: 'OpenAI, product feed by file upload',
    url: 'https://developers.openai.com/commerce/specs/file-upload/products',
  },
  {
    names: 'Google Pay, payment handler for UCP',
    url: 'https://developers.google.com/pay/api/universal-commerce-protocol/reference/config',
  },
  {
    names: 'Shopify, Shop Pay handler',
    url: 'https://shopify.dev/docs/agents/checkout/shop-pay-handler',
  },
  { names: 'RFC 7517', url: 'https://www.rfc-editor.org/rfc/rfc7517' },
  { names: 'GS1', url: 'https://www.gs1.org/standards' },
  { names: 'WCAG 2.2', url: 'https://www.w3.org/TR/WCAG22/' },
  { names: 'W3C, Inaccessibility of CAPTCHA', url: 'https://www.w3.org/TR/turingtest/' },
  { names: 'WebMCP', url: 'https://webmachinelearning.github.io/webmcp/' },
  { names: 'UCP', url: 'https://ucp.dev/' },
  { names: 'A2A', url: 'https://a2a-protocol.org/latest/specification/' },
  { names: 'ACP', url: 'https://www.agenticcommerce.dev/' },
]

/** A source that a gap's page names, with a link where it is published. */
interface GapSource {
  title: string
  /** Null for the specification of this service, which is not published apart. */
  url: string | null
}

/** The sources that a rule's `authority` names, which are separated by semicolons. */
export const sourcesOf = (authority: string): GapSource[] =>
  authority.split(';').map((part) => {
    const title = part.trim()
    const isOurs = title.startsWith('Specification')
    const found = PUBLISHED.find(({ names }) => title.startsWith(names))
    return { title, url: isOurs ? null : (found?.url ?? null) }
  })
