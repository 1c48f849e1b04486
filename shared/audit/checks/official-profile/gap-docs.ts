import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps that only stores with an official UCP profile can have.

/** Where the schemas of the version are published. */
const UCP = 'https://ucp.dev/2026-08-25'

/** A profile that is right but for the parts of the example. */
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

const HANDLER = `    "payment_handlers": {
      "com.example.pay": [
        {
          "id": "example_pay",
          "version": "2026-06-01",
          "schema": "https://pay.example.com/ucp/2026-06-01/schema.json",
          "available_instruments": [{ "type": "card" }]
        }
      ]
    }`

/** A profile with a checkout, and with `handlers` in the place of none. */
const paying = (handlers: string): string =>
  profile(`${SERVICES}\n${capabilities(CHECKOUT)}`).replace('    "payment_handlers": {}', handlers)

const GOOGLE_PAY = (gateway: string): string => `    "payment_handlers": {
      "com.google.pay": [
        {
          "id": "gpay",
          "version": "2026-01-23",
          "config": {
            "api_version": 2,
            "api_version_minor": 0,
            "environment": "PRODUCTION",
            "merchant_info": { "merchant_id": "12345678901234567890" },
            "allowed_payment_methods": [
              {
                "type": "CARD",
                "parameters": {
                  "allowed_auth_methods": ["PAN_ONLY"],
                  "allowed_card_networks": ["VISA", "MASTERCARD"]
                },
                "tokenization_specification": {
                  "type": "PAYMENT_GATEWAY",
                  "parameters": {${gateway}}
                }
              }
            ]
          }
        }
      ]
    }`

/** A profile with a checkout and orders, and with these keys. */
const withOrders = (keys: string): string =>
  profile(`${SERVICES}\n${capabilities(CHECKOUT, capability('order', 'order'))}`).replace(
    /\n\}$/,
    `${keys}\n}`,
  )

const publicKey = (y: string): string => `{
  "keys": [
    {
      "kid": "store-1",
      "kty": "EC",
      "crv": "P-256",
      "alg": "ES256",
      "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      "y": "${y}"
    }
  ]
}`

export const ucpProfileDocs: GapDocs = {
  ucp_version_outdated: {
    meaning:
      'The profile is of 2026-01-11 or 2026-01-23, and supported_versions leads to no later one.',
    why: 'An agent and a store need a version in common. Agents that speak only later ones are told so, and leave. Agents of the old version are few.',
    language: 'json',
    before: `{
  "ucp": {
    "version": "2026-01-23",
    "services": {},
    "capabilities": {},
    "payment_handlers": {}
  }
}`,
    after: `{
  "ucp": {
    "version": "2026-08-25",
    "supported_versions": {
      "2026-04-08": "https://shop.example/.well-known/ucp/2026-04-08"
    },
    "services": {},
    "capabilities": {},
    "payment_handlers": {}
  }
}`,
  },
  ucp_names_unknown: {
    meaning:
      'A name under dev.ucp is misspelt, or its schema is at an address on ucp.dev where UCP has none.',
    why: 'Agents compare names letter by letter and skip what they do not know. Agents never find what such a name stands for.',
    language: 'json',
    before: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('catalogue.search', 'catalog_search'))}`,
    ),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('catalog.search', 'catalog_search'))}`,
    ),
  },
  ucp_keys_unusable: {
    meaning:
      'The profile publishes keys, but with none of them, or not with the listed ones, can a signature be verified: the key is damaged, of another curve than it says, meant for encryption, or in a field that agents of this version do not read.',
    why: 'Agents refuse news about orders whose signature they cannot verify. The buyer does not hear that the order was shipped.',
    language: 'json',
    before: publicKey('f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
    after: publicKey('x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
  },
  ucp_webhook_keys_missing: {
    meaning:
      'The profile offers orders, whose webhooks have to be signed, but it publishes no key to verify them by.',
    why: 'Agents that verify signatures refuse the webhooks of the store, so that buyers hear of a shipment only when they ask.',
    language: 'json',
    before: withOrders(''),
    after: withOrders(`,
  "keys": [
    {
      "kid": "store-1",
      "kty": "EC",
      "crv": "P-256",
      "alg": "ES256",
      "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    }
  ]`),
  },
  ucp_payment_handlers_missing: {
    meaning:
      'The profile offers a checkout, but payment_handlers is empty: there is no way to pay that an agent could use.',
    why: 'The agent fills the cart, and then the buyer has to leave the conversation, open your page and type in a card. Many do not finish.',
    language: 'json',
    before: paying('    "payment_handlers": {}'),
    after: paying(HANDLER),
  },
  ucp_payment_handler_unusable: {
    meaning:
      'An entry of payment_handlers cannot be used as it stands: its id is empty or that of another handler, or its configuration lacks what the provider needs.',
    why: 'The agent offers this way to pay, the buyer chooses it, and the payment fails.',
    language: 'json',
    before: paying(GOOGLE_PAY('')),
    after: paying(
      GOOGLE_PAY(`
                    "gateway": "example",
                    "gatewayMerchantId": "your-id"
                  `),
    ),
  },
  ucp_private_key_published: {
    meaning:
      'The profile publishes a key together with its private part (such as "d"). Only the public part belongs there.',
    why: 'Anyone who reads the profile can sign messages in the name of the store. Removing the private part is not enough, because the key is already known: replace it.',
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
      'The profile is valid, but agents have to ignore some parts of it: an extension whose parent is not declared, or a schema on a host that does not own the name.',
    why: 'For the agent, these parts do not exist. A store that declares fulfillment without the checkout that it extends offers no shipping.',
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
      'supported_versions lists the address of a profile of an older version, but there is no profile of that version at this address.',
    why: 'Agents that use the older version find nothing. Agents that use the newest version are not affected.',
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
    why: 'Agents can buy a product if they know its id, but have no way to find it. They depend on a feed and on how up to date it is.',
    language: 'json',
    before: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('catalog.search', 'catalog_search'), capability('catalog.lookup', 'catalog_lookup'))}`,
    ),
  },
  ucp_catalog_tools_missing: {
    meaning:
      'The profile offers a catalog over MCP, but the endpoint lists neither search_catalog nor lookup_catalog nor get_product.',
    why: 'Agents call tools by these names. The profile promises a catalog that they cannot use.',
    language: 'text',
    before: 'tools/list   →   create_checkout, get_checkout, update_checkout, complete_checkout',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
  ucp_not_shoppable: {
    meaning:
      'The profile is valid, but offers no checkout, or no service with an endpoint through which agents can reach it.',
    why: 'Agents find the store but cannot buy anything, and leave. A valid file is not enough to sell.',
    language: 'json',
    before: profile('    "services": {},\n    "capabilities": {},'),
    after: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
  },
  ucp_endpoint_unreachable: {
    meaning: 'The profile names REST or MCP endpoints, but none of them answers.',
    why: 'Everything that the profile offers is behind these addresses. Discovery works, but nothing after it does.',
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
    meaning:
      'The profile offers a checkout over MCP, but the endpoint does not list create_checkout.',
    why: 'Agents start a purchase with this tool. Without it there is no cart.',
    language: 'text',
    before: 'tools/list   →   search_catalog, lookup_catalog, get_product',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
}
