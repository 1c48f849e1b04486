import { html, raw } from 'hono/html'
import {
  applyFaults,
  cacheable,
  html as htmlReply,
  type PageParts,
  type Reply,
  type StoreRequest,
} from '../../http/store-request.ts'
import { FEED_FILES } from '../feeds/formats.ts'
import {
  BASKET_PATH,
  FEED_PATH,
  LOGO_PATH,
  SHOP_MOTTO,
  SHOP_NAME,
  STYLES_PATH,
  TOOLS_PATH,
} from '../settings.ts'

/** Markup made by `html`: its parts are escaped. */
export type Markup = ReturnType<typeof html>

interface PageContent {
  parts: Pick<PageParts, 'title' | 'description' | 'jsonLd'> & Partial<PageParts>
  main: Markup
  status?: number
}

/** A JSON-LD block's text: no `<` of the data can end its script element. */
export const jsonLdText = (node: unknown): string =>
  JSON.stringify(node, null, 1).replaceAll('<', '\\u003c')

/**
 * A whole page: frame, metadata, JSON-LD and the attribution snippet around `main`. Only a page
 * with status 200 may be cached.
 */
export function renderStorePage(
  request: StoreRequest,
  { parts, main, status = 200 }: PageContent,
): Reply {
  const page = applyFaults(request, 'page', {
    siteName: SHOP_NAME,
    openGraph: {},
    feed: FEED_PATH,
    // Where buyers have a basket.
    tools: request.official,
    scripts: [],
    snippets: { head: [request.snippetUrl], body: [] },
    ...parts,
  })
  const { headers } = status === 200 ? cacheable(60) : { headers: {} }
  return htmlReply(String(documentOf(request, page, main)), {
    status,
    headers: { ...headers, ...securityHeaders(request) },
  })
}

/** Inline scripts are refused; JSON-LD is data, which the policy does not govern. */
function securityHeaders({ snippetUrl }: StoreRequest): Record<string, string> {
  const origin = URL.parse(snippetUrl)?.origin ?? "'none'"
  return {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self' ${origin}`,
      `connect-src 'self' ${origin}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  }
}

/** The other formats of the feed, after the one that every feed reader knows. */
const OTHER_FEEDS = [
  { ...FEED_FILES['google-tsv'], about: 'for Google, as a table' },
  { ...FEED_FILES['openai-tsv'], about: 'for OpenAI, as a table' },
  { ...FEED_FILES['openai-jsonl'], about: 'for OpenAI' },
  { ...FEED_FILES['acp-products'], about: 'for ACP' },
].map(({ path, type, about }) => {
  const [essence = ''] = type.split(';')
  return html`<link rel="alternate" type="${essence}" title="${SHOP_NAME}: product feed ${about}" href="${path}">\n`
})

const snippetTag = (src: string) => html`<script async src="${src}"></script>\n`

function documentOf(request: StoreRequest, page: PageParts, main: Markup): Markup {
  const { title, description, siteName, openGraph, feed, jsonLd, tools, scripts, snippets } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${title}">
${Object.entries(openGraph).map(([name, content]) => html`<meta property="${name}" content="${content}">\n`)}<link rel="canonical" href="${request.origin}${request.path}">
<link rel="icon" href="${LOGO_PATH}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLES_PATH}">
${feed && html`<link rel="alternate" type="application/rss+xml" title="${SHOP_NAME}: product feed" href="${feed}">\n${OTHER_FEEDS}`}
${snippets.head.map(snippetTag)}
${jsonLd.map((text) => html`<script type="application/ld+json">\n${raw(text)}\n</script>\n`)}
${tools && html`<script defer src="${TOOLS_PATH}"></script>\n`}${scripts.map((text) => html`<script>\n${raw(text)}\n</script>\n`)}
</head>
<body>
<header class="masthead">
<a href="/" class="brand"><img src="${LOGO_PATH}" alt="" width="40" height="40"> ${SHOP_NAME}</a>
<p>${SHOP_MOTTO}</p>
${request.official && html`<a href="${BASKET_PATH}" class="basket">Basket</a>`}
</header>
<main>
${main}
</main>
<footer>
<p>${SHOP_NAME} is the reference store of Aisle. Its products do not exist, and nothing is sent.</p>
</footer>
${snippets.body.map(snippetTag)}
</body>
</html>
`
}
