import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `well_known`, except those of official profiles.

/** Examples follow spec, Manifest. */
export const wellKnownWords = {
  https_missing: {
    passed: 'https_enabled',
    severity: 'critical',
    label: 'The store does not answer over HTTPS',
    fix: 'Serve the whole store over HTTPS with a certificate that browsers trust.',
    passes: 'The store answers over HTTPS',
    meaning:
      'The domain answers plain http, but not https. Every address that the manifest gives an agent begins with https.',
    why: 'Agents send names, addresses and payment tokens. They do so only over an encrypted connection, so they cannot use the store at any step.',
    language: 'http',
    before: `GET https://shop.example/

(connection refused)`,
    after: `GET https://shop.example/

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
Strict-Transport-Security: max-age=31536000`,
  },
  well_known_missing: {
    passed: 'well_known_present',
    severity: 'critical',
    label: 'No UCP manifest',
    fix: 'Publish the manifest at /.well-known/ucp on the root domain, and make sure that no rule blocks .well-known paths.',
    passes: 'A UCP manifest that agents can find',
    meaning:
      'The manifest is the file that says where the catalog and the checkout of a store are. Nothing is published at its address.',
    why: 'Agents look only at this address. Without the file they find neither products nor a checkout, and go to a store that has one.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 404 Not Found
Content-Type: text/html`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: public, max-age=300

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_only_on_subdomain: {
    passed: 'well_known_on_root_domain',
    severity: 'critical',
    label: 'The manifest is only on a subdomain',
    fix: 'Serve the same file on the root domain, without a redirect.',
    passes: 'The manifest is on your main domain',
    meaning: 'The manifest is on the www. subdomain, but not on the domain itself.',
    why: 'Agents look on the root domain, because that is the name that buyers know. They do not try subdomains.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 404 Not Found`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_requires_auth: {
    passed: 'well_known_public',
    severity: 'critical',
    label: 'The manifest is behind authentication',
    fix: 'Make /.well-known/ucp publicly readable: exempt it from password protection.',
    passes: 'The manifest can be read without a password',
    meaning: 'The manifest answers 401: it requires a user name, a key or a cookie.',
    why: 'An agent that visits for the first time has no account. Discovery happens before any sign-in, so the file must be open to everyone.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 401 Unauthorized
WWW-Authenticate: Basic realm="staging"`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_redirected: {
    passed: 'well_known_not_redirected',
    severity: 'high',
    label: 'The manifest can only be reached through a redirect',
    fix: 'Serve /.well-known/ucp directly, with status 200: agents do not follow redirects there.',
    passes: 'The manifest is served without a redirect',
    meaning: 'The address of the manifest answers with a redirect to another address.',
    why: 'A redirect could lead to a host that does not belong to the store, so agents are instructed not to follow it. They never read the file.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 301 Moved Permanently
Location: https://www.shop.example/.well-known/ucp`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_wrong_content_type: {
    passed: 'well_known_content_type',
    severity: 'high',
    label: 'The manifest has the wrong content type',
    fix: 'Send Content-Type: application/json; many servers send a file without an extension as plain text.',
    passes: 'The manifest is served as JSON',
    meaning:
      'The file is there, but its Content-Type says that it is something else. Servers choose the type by the file extension, and this file has none.',
    why: 'A client that trusts the header does not parse the body. Some agents then treat the store as one without a manifest.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: text/plain

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_not_json: {
    passed: 'well_known_json',
    severity: 'critical',
    label: 'The manifest is not JSON',
    fix: 'Fix the file: no trailing commas, no comments, double quotes.',
    passes: 'The manifest is valid JSON',
    meaning: 'The file cannot be parsed. A comma after the last item is the most common reason.',
    why: 'JSON is read as a whole or not at all: one wrong character hides every endpoint in the file.',
    language: 'json',
    before: `{
  "version": "1.0",
  "domain": "shop.example",
}`,
    after: `{
  "version": "1.0",
  "domain": "shop.example"
}`,
  },
  catalog_undeclared: {
    passed: 'catalog_declared',
    severity: 'critical',
    label: 'The manifest declares no product catalog',
    fix: 'Declare capabilities.product_catalog in /.well-known/ucp with its endpoint.',
    passes: 'The manifest names your product catalog',
    meaning: 'The manifest has no capabilities.product_catalog, or one without an endpoint.',
    why: 'The manifest is how agents learn where the products are. They do not look for a catalog that is not declared, however good it is.',
    language: 'json',
    before: `{
  "version": "1.0",
  "domain": "shop.example",
  "capabilities": {
    "checkout": {
      "endpoint": "https://shop.example/ucp/checkout",
      "supported_methods": ["POST"],
      "requires_authentication": false,
      "version": "1.0"
    }
  }
}`,
    after: `{
  "version": "1.0",
  "domain": "shop.example",
  "capabilities": {
    "product_catalog": {
      "endpoint": "https://shop.example/ucp/products",
      "format": "json",
      "version": "1.0"
    },
    "checkout": {
      "endpoint": "https://shop.example/ucp/checkout",
      "supported_methods": ["POST"],
      "requires_authentication": false,
      "version": "1.0"
    }
  }
}`,
  },
  checkout_undeclared: {
    passed: 'checkout_declared',
    severity: 'critical',
    label: 'The manifest declares no checkout',
    fix: 'Declare capabilities.checkout in /.well-known/ucp with its endpoint.',
    passes: 'The manifest names your checkout',
    meaning: 'The manifest has no capabilities.checkout, or one without an endpoint.',
    why: 'Agents can show the products, but have nowhere to send a cart. The sale ends with a link at best.',
    language: 'json',
    before: `{
  "version": "1.0",
  "domain": "shop.example",
  "capabilities": {
    "product_catalog": {
      "endpoint": "https://shop.example/ucp/products",
      "format": "json",
      "version": "1.0"
    }
  }
}`,
    after: `{
  "version": "1.0",
  "domain": "shop.example",
  "capabilities": {
    "product_catalog": {
      "endpoint": "https://shop.example/ucp/products",
      "format": "json",
      "version": "1.0"
    },
    "checkout": {
      "endpoint": "https://shop.example/ucp/checkout",
      "supported_methods": ["POST"],
      "requires_authentication": false,
      "version": "1.0"
    }
  }
}`,
  },
  well_known_domain_mismatch: {
    passed: 'well_known_domain',
    severity: 'high',
    label: 'The manifest names another domain',
    fix: 'Set "domain" to the domain that serves the file, and make sure that its endpoints are yours.',
    passes: 'The manifest names your domain',
    meaning:
      'The "domain" of the manifest is not the domain that serves it. The names with and without www. count as the same.',
    why: 'An agent cannot know whether the file was copied by mistake or on purpose, so it does not trust a manifest that names another store. If the endpoints were copied as well, it buys at that store.',
    language: 'json',
    before: `{
  "domain": "another-shop.example",
  "capabilities": {
    "checkout": { "endpoint": "https://another-shop.example/ucp/checkout" }
  }
}`,
    after: `{
  "domain": "shop.example",
  "capabilities": {
    "checkout": { "endpoint": "https://shop.example/ucp/checkout" }
  }
}`,
  },
  well_known_invalid: {
    passed: 'well_known_valid',
    severity: 'high',
    label: 'Fields of the manifest are missing or wrong',
    fix: 'Fix the listed fields.',
    passes: 'Every field of the manifest is right',
    meaning:
      'Required fields are missing, or have a value that the format does not allow. The finding names each field.',
    why: 'Agents check the file against its schema. A field of the wrong type can make them skip the capability, or the whole store.',
    language: 'json',
    before: `{ "capabilities": { "checkout": { "supported_methods": ["GET"] } } }`,
    after: `{ "capabilities": { "checkout": { "supported_methods": ["POST"] } } }`,
  },
  well_known_generated_at: {
    passed: 'well_known_stable',
    severity: 'low',
    label: 'generated_at is still in the manifest',
    fix: 'Remove generated_at before publishing, so that the file changes only when the store does.',
    passes: 'The manifest changes only when the store does',
    meaning: 'The file still contains the time at which it was generated.',
    why: 'The field changes with every deployment, so caches and change monitors see a new file although nothing else has changed.',
    language: 'json',
    before: `{ "generated_at": "2026-11-20T09:30:00.000Z" }`,
    after: `{ "domain": "shop.example" }`,
  },
  well_known_not_cacheable: {
    passed: 'well_known_cacheable',
    severity: 'low',
    label: 'The manifest cannot be cached',
    fix: 'Send Cache-Control: public, max-age=300 with the manifest.',
    passes: 'The manifest can be cached',
    meaning:
      'The Cache-Control header of the manifest does not let shared caches store it, or only for less than a minute.',
    why: 'Agents read the file before each visit. Without a cache, each of them has to wait for the server of the store.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: no-store

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: public, max-age=300

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  store_behind_password: {
    passed: 'store_open',
    severity: 'critical',
    caps: 'kept_out',
    label: 'The store asks for a password',
    fix: 'Open the store to everyone: take off the password or the coming-soon page, and let the home page answer with the store.',
    passes: 'The store is open to everyone',
    meaning:
      'The home page shows a form for a password, leads to one, or answers 401. Shops do so before their opening, in preview, and where only members may buy.',
    why: 'An agent has no password. It sees no product and no price, and neither does the search index that it draws on.',
    language: 'http',
    before: `GET https://shop.example/

HTTP/1.1 401 Unauthorized
WWW-Authenticate: Basic realm="Preview"`,
    after: `GET https://shop.example/

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8`,
  },
  robots_blocks_ai_agents: {
    passed: 'robots_allows_ai_agents',
    severity: 'high',
    label: 'robots.txt blocks AI shopping agents',
    fix: 'Let the listed agents read the storefront; training crawlers may stay blocked.',
    passes: 'robots.txt lets AI shopping agents in',
    meaning:
      'robots.txt blocks an agent that builds a search index, or fetches pages for a person, from the home page, the manifest or a product page. Agents whose operators say that they may come all the same, such as ChatGPT-User and Google-Agent, are named and not counted. Crawlers that collect training data are not counted either: you can block them if you like. Google-Extended is one of these names, but without it Gemini does not ground its answers on your pages either.',
    why: 'Agents that obey robots.txt stay away from what it disallows. A rule meant for training crawlers also keeps the store out of answers and out of shopping.',
    language: 'text',
    before: `User-agent: GPTBot
User-agent: OAI-SearchBot
User-agent: Claude-User
Disallow: /`,
    after: `# Training stays blocked, search and shopping do not.
User-agent: GPTBot
Disallow: /

User-agent: OAI-SearchBot
User-agent: Claude-User
Allow: /
Disallow: /cart`,
  },
  content_signal_refuses_agents: {
    passed: 'content_signals',
    // Medium: it is a preference, and only operators that respect it stay away.
    severity: 'medium',
    label: 'A content signal asks AI agents not to use the store',
    fix: 'Say search=yes and ai-input=yes, or leave them out; ai-train=no may stay.',
    passes: 'Content signals let AI agents use the store',
    meaning:
      'A Content-Signal or Content-Usage line in robots.txt, or such a header of a page, says no to search results or to answers that an AI agent writes from the page. Signals about training are not counted: you can refuse that if you like.',
    why: 'Agents that follow these signals leave the products out of what they show and recommend. The signals are a request and block nobody, so other agents read on.',
    language: 'text',
    before: `User-agent: *
Content-Signal: search=yes, ai-input=no, ai-train=no
Allow: /`,
    after: `# Training stays refused, search and answers do not.
User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /`,
  },
  product_pages_dead: {
    passed: 'product_pages_answer',
    severity: 'critical',
    caps: 'kept_out',
    label: 'The product pages are gone',
    fix: 'Make catalog, feed and sitemap name the addresses that the products have now, and redirect the old ones there.',
    passes: 'Product pages answer',
    meaning:
      'All addresses that the store itself names as product pages answer 404 or 410, or those that its catalog names fail or lead to the home page. This happens after a move to other software, when catalog, feed or sitemap are not made anew.',
    why: 'An agent that recommends a product sends the buyer to its page, and reads the price there. Where the page is gone, the purchase ends.',
    language: 'http',
    before: `GET https://shop.example/products/fell-boot

HTTP/1.1 404 Not Found`,
    after: `GET https://shop.example/products/fell-boot

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8`,
  },
  product_pages_not_indexed: {
    passed: 'product_pages_indexable',
    severity: 'high',
    label: 'Product pages ask search engines to leave them out',
    fix: 'Remove noindex and none from the robots meta element and the X-Robots-Tag header of product pages, and let each name itself as canonical.',
    passes: 'Product pages may be listed by search engines',
    meaning:
      'A product page says noindex or none in its robots meta element or in the header X-Robots-Tag, to all crawlers or to those of Google or Bing, or it names the home page, or an address such as http://localhost/, as its canonical one. Pages that name another address as their canonical one are left out, and so is what is said to other crawlers alone.',
    why: 'AI Overviews and AI Mode link only to pages that are in the index of Google, and Copilot finds pages in that of Bing. Agents that open the page can still read it, but buyers do not find it there.',
    language: 'html',
    before: '<meta name="robots" content="noindex, nofollow">',
    after: '<meta name="robots" content="index, follow">',
  },
} satisfies RuleWords
