import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps that only stores with an official UCP profile can have.

const UCP = 'https://ucp.dev/2026-08-25'

const profile = (parts: string): string => `{
  "ucp": {
    "version": "2026-08-25",
${parts}
    "payment_handlers": {}
  }
}`

const SERVICES = `    "services": {
      "dev.ucp.shopping": [
        {
          "version": "2026-08-25",
          "transport": "rest",
          "endpoint": "https://shop.example/ucp",
          "spec": "${UCP}/specification/overview/",
          "schema": "${UCP}/services/shopping/rest.openapi.json"
        }
      ]
    },`

const capability = (name: string, schema: string, rest = ''): string =>
  `      "dev.ucp.shopping.${name}": [
        { "version": "2026-08-25", "schema": "${UCP}/schemas/shopping/${schema}.json"${rest} }
      ]`

const capabilities = (...all: string[]): string =>
  `    "capabilities": {\n${all.join(',\n')}\n    },`

const CHECKOUT = capability('checkout', 'checkout')

export const ucpProfileDocs: GapDocs = {
  ucp_private_key_published: {
    meaning:
      'The profile publishes a key of which only the public half belongs there, with its secret half in it (such as "d").',
    why: 'Whoever reads the profile can sign messages in the name of the store. To take the member out is not enough: the key is known.',
    language: 'json',
    before: `{
  "keys": [
    {
      "kid": "store-1",
      "kty": "EC",
      "crv": "P-256",
      "alg": "ES256",
      "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      "d": "(secret)"
    }
  ]
}`,
    after: `{
  "keys": [
    {
      "kid": "store-2",
      "kty": "EC",
      "crv": "P-256",
      "alg": "ES256",
      "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    }
  ]
}`,
  },
  ucp_parts_dropped: {
    meaning:
      'The profile is valid, but agents have to leave some of its parts out: an extension whose parent is not declared, or a schema on a host that does not own the name.',
    why: 'What is left out does not exist for the agent. A store that declares fulfillment without a checkout to extend offers no shipping.',
    language: 'json',
    before: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('fulfillment', 'fulfillment', ',\n          "extends": "dev.ucp.shopping.cart"'))}`,
    ),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('fulfillment', 'fulfillment', ',\n          "extends": "dev.ucp.shopping.checkout"'))}`,
    ),
  },
  ucp_supported_versions_broken: {
    meaning:
      'supported_versions names the address of a profile of an older version, at which there is none of that version.',
    why: 'Agents that speak the older version are led into nothing. Those that came by the newest file are not concerned.',
    language: 'http',
    before: `GET https://shop.example/.well-known/ucp/2026-04-08

HTTP/1.1 404 Not Found`,
    after: `GET https://shop.example/.well-known/ucp/2026-04-08

HTTP/1.1 200 OK
Content-Type: application/json

{ "ucp": { "version": "2026-04-08", … } }`,
  },
  ucp_catalog_undeclared: {
    meaning: 'The profile offers a checkout, but neither catalog search nor catalog lookup.',
    why: 'Agents can buy a product whose id they know, and have no way to learn it. They depend on a feed, and on how fresh it is.',
    language: 'json',
    before: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('catalog.search', 'catalog_search'), capability('catalog.lookup', 'catalog_lookup'))}`,
    ),
  },
  ucp_catalog_tools_missing: {
    meaning:
      'The profile offers a catalog over MCP, but the endpoint lists none of search_catalog, lookup_catalog and get_product.',
    why: 'An agent calls tools by these names. It finds the promise in the profile and nothing behind it.',
    language: 'text',
    before: 'tools/list   →   create_checkout, get_checkout, update_checkout, complete_checkout',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
  ucp_not_shoppable: {
    meaning:
      'The profile is valid, but offers no checkout, or no service with an endpoint over which to reach it.',
    why: 'Agents find the store, agree on nothing, and leave. A valid file is not yet a store that sells.',
    language: 'json',
    before: profile('    "services": {},\n    "capabilities": {},'),
    after: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
  },
  ucp_endpoint_unreachable: {
    meaning: 'The profile names REST or MCP endpoints, and none of them answers.',
    why: 'Everything that the profile offers is behind these addresses. Discovery works and nothing after it does.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 404 Not Found
Content-Type: text/html`,
    after: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "messages": [ … ] }`,
  },
  ucp_checkout_tools_missing: {
    meaning: 'The profile offers a checkout over MCP, but the endpoint lists no create_checkout.',
    why: 'It is the tool by which an agent begins a purchase. Without it there is no cart.',
    language: 'text',
    before: 'tools/list   →   search_catalog, lookup_catalog, get_product',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
}
