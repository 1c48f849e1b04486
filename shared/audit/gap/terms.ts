interface Term {
  /** The word, as it is shown. */
  word: string
  /** How it stands in a text. */
  pattern: RegExp
  means: string
}

/** Words of the trade that stand in labels and fixes, and what they mean to who runs a store. */
const TERMS: readonly Term[] = [
  {
    word: 'Manifest',
    pattern: /\bmanifest\b|\.well-known\/ucp\b/i,
    means: 'the file /.well-known/ucp of a store, in which agents read what it offers and where',
  },
  {
    word: 'Profile',
    pattern: /\bprofiles?\b/i,
    means: 'the manifest in the form of official UCP',
  },
  {
    word: 'UCP, ACP',
    pattern: /\b(?:UCP|ACP)\b|\bacp\.json\b/,
    means: 'protocols in which an agent asks a store for products and buys; acp.json announces ACP',
  },
  {
    word: 'MCP, REST',
    pattern: /\b(?:MCP|REST|JSON-RPC)\b/,
    means: 'two ways in which programs call a store over the web',
  },
  {
    word: 'Product markup',
    pattern: /\bmarkup\b|\bschema\.org\b/i,
    means:
      'lines in the code of a page, in the words of schema.org, that tell programs name, price and stock',
  },
  {
    word: 'JSON-LD',
    pattern: /\bJSON-LD\b/,
    means: 'the usual way to write markup: a block of data in the code of a page',
  },
  {
    word: 'Organization',
    pattern: /\bOrganizations?\b/,
    means: 'the part of the markup that says which business the store belongs to',
  },
  {
    word: 'sameAs',
    pattern: /\bsameAs\b/,
    means: 'addresses of your profiles elsewhere, such as social networks',
  },
  {
    word: 'GTIN',
    pattern: /\bGTINs?\b/,
    means: 'the number below the barcode of a product',
  },
  {
    word: 'Variant',
    pattern: /\bvariants?\b|\bvariant_\w+/i,
    means: 'one size, colour or the like of a product',
  },
  {
    word: 'ISO 4217',
    pattern: /\bISO 4217\b/,
    means: 'the codes of currencies, such as USD',
  },
  {
    word: 'Feed',
    pattern: /\bfeed\b/i,
    means: 'the list of products as a file, as Google and OpenAI take it',
  },
  {
    word: 'Endpoint',
    pattern: /\bendpoints?\b|\bapi_base_url\b/,
    means: 'the address that programs call, to read products or to buy',
  },
  {
    word: 'HTTP, POST, PATCH',
    pattern: /\b(?:POST|PATCH|HTTP)\b|\bheaders?\b|\b[45]\d\d\b/,
    means: 'how programs call a store, and how it answers; for a developer',
  },
  {
    word: 'HTTPS',
    pattern: /\bHTTPS\b/,
    means: 'addresses that begin with https:// and are encrypted',
  },
  {
    word: 'Content type',
    pattern: /\bcontent[ -]types?\b|\bapplication\/json\b/i,
    means: 'what a server says of an answer, so that programs know how to read it',
  },
  {
    word: 'JSON',
    pattern: /\bJSON\b(?!-)/,
    means: 'the form of data that programs exchange; for a developer',
  },
  {
    word: 'JWK',
    pattern: /\bJWK\b/,
    means: 'the form of a public key, by which others verify what you sign; for a developer',
  },
  {
    word: 'Names such as price.amount',
    pattern: /(?<!<)\b[a-z]+_[a-z]|\b[a-z]+\.(?!xml|json|txt|js\b|org|dev|example)[a-z]/,
    means: 'parts of the data that a store sends; for a developer',
  },
  {
    word: 'Integer',
    pattern: /\bintegers?\b/,
    means: 'a whole number, as of cents',
  },
  {
    word: 'Pagination',
    pattern: /\bpagination\b|\bcursor\b/i,
    means: 'a long list, answered page by page',
  },
  {
    word: 'Cache',
    pattern: /\bcache[sd]?\b|\bcacheable\b/i,
    means: 'a copy that is kept for a while, so that it is not asked for again',
  },
  {
    word: 'CDN',
    pattern: /\bCDN\b/,
    means: 'the network in front of a store that delivers its pages, such as Cloudflare',
  },
  {
    word: 'PSP',
    pattern: /\bPSP\b/,
    means: 'the payment service, such as Stripe',
  },
  {
    word: 'Payment handler, token',
    pattern: /\bhandlers?\b|\btokens?\b/i,
    means: 'how an agent hands over a payment without the number of a card',
  },
  {
    word: 'Content-Security-Policy',
    pattern: /\bContent-Security-Policy\b/,
    means: 'a rule of a page that says which scripts browsers may load; for a developer',
  },
  {
    word: 'robots.txt',
    pattern: /\brobots\.txt\b/,
    means: 'the file in which a store says which programs may read its pages',
  },
  {
    word: 'Redirect',
    pattern: /\bredirect\w*/i,
    means: 'an answer that sends the caller to another address',
  },
  {
    word: 'Tag',
    pattern: /\btag\b|\battribution\.js\b/i,
    means: 'the line in your pages that counts visits from AI',
  },
  {
    word: 'XML, CSV',
    pattern: /\b(?:XML|CSV)\b/,
    means: 'forms of a list as a file',
  },
]

/** The words of the trade in a text, each with what it means. */
export const termsIn = (text: string): Pick<Term, 'word' | 'means'>[] =>
  TERMS.filter(({ pattern }) => pattern.test(text))
