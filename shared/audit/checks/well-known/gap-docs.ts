import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `well_known`, but for those of official profiles.

export const wellKnownDocs: GapDocs = {
  https_missing: {
    meaning:
      'The domain answers plain http, but not https. Every address that the manifest gives an agent begins with https.',
    why: 'Agents send names, addresses and payment tokens. They do so over an encrypted connection or not at all, so the store cannot be reached at any step.',
    language: 'http',
    before: `GET https://shop.example/

(connection refused)`,
    after: `GET https://shop.example/

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
Strict-Transport-Security: max-age=31536000`,
  },
  well_known_missing: {
    meaning:
      'The manifest is the file by which a store says where its catalog and its checkout are. Nothing is published at its address.',
    why: 'Agents ask at this one address and guess at no other. Without the file they find neither products nor a checkout, and go to a store that has one.',
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
    meaning: 'The manifest is at www., and the domain itself answers that there is none.',
    why: 'Agents ask the root domain, because that is the name that buyers know. They do not try subdomains.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp

HTTP/1.1 404 Not Found`,
    after: `GET https://shop.example/.well-known/ucp

HTTP/1.1 200 OK
Content-Type: application/json

{ "version": "1.0", "domain": "shop.example", "capabilities": { … } }`,
  },
  well_known_requires_auth: {
    meaning: 'The manifest answers 401: it asks for a user name, a key or a cookie.',
    why: 'An agent that visits for the first time has no account. Discovery happens before any trust is agreed, so the file must be open to everyone.',
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
    meaning: 'The address of the manifest answers with a redirect to another address.',
    why: 'A redirect could hand the store over to another host, so agents are told not to follow one here. What is behind it is not read.',
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
    meaning:
      'The file is there, but its Content-Type says that it is something else. Servers choose the type by the extension, and the file has none.',
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
    meaning: 'The file cannot be parsed. A comma after the last item is the most common reason.',
    why: 'JSON is read whole or not at all: one wrong character hides every endpoint in the file.',
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
    meaning: 'The manifest has no capabilities.product_catalog, or one without an endpoint.',
    why: 'The manifest is how agents learn where the products are. A catalog that is not declared is not asked for, however good it is.',
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
    meaning:
      'The "domain" of the manifest is not the domain that serves it. www. and the bare name count as one.',
    why: 'An agent cannot tell a copied file from a stolen one. A manifest that speaks for another store is not trusted.',
    language: 'json',
    before: `{ "domain": "staging.another-shop.example" }`,
    after: `{ "domain": "shop.example" }`,
  },
  well_known_invalid: {
    meaning:
      'Required fields are missing, or hold a value that the format does not know. The finding names each field.',
    why: 'Agents read the file by its schema. A field of the wrong type can make them skip the capability, or the whole store.',
    language: 'json',
    before: `{ "capabilities": { "checkout": { "supported_methods": ["GET"] } } }`,
    after: `{ "capabilities": { "checkout": { "supported_methods": ["POST"] } } }`,
  },
  well_known_generated_at: {
    meaning: 'The file still carries the moment at which it was generated.',
    why: 'The field changes with every deployment, so that caches and change monitors see a new file where nothing is new.',
    language: 'json',
    before: `{ "generated_at": "2026-11-20T09:30:00.000Z" }`,
    after: `{ "domain": "shop.example" }`,
  },
  well_known_not_cacheable: {
    meaning:
      'The Cache-Control header of the manifest forbids shared caches to keep it, or lets them keep it for less than a minute.',
    why: 'Agents read the file before each visit. Without a cache, each of these reads waits for the server of the store.',
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
  robots_blocks_ai_agents: {
    meaning:
      'robots.txt forbids the home page, the manifest or a product page to an agent that searches, or fetches while a person asks. Crawlers that collect training data are not meant: to block them is your choice.',
    why: 'These agents obey robots.txt. A rule that was written against training keeps the store out of answers and out of shopping as well.',
    language: 'text',
    before: `User-agent: GPTBot
User-agent: OAI-SearchBot
User-agent: ChatGPT-User
Disallow: /`,
    after: `# Training stays blocked, search and shopping do not.
User-agent: GPTBot
Disallow: /

User-agent: OAI-SearchBot
User-agent: ChatGPT-User
Allow: /
Disallow: /cart`,
  },
}
