import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules that only apply to stores with an official UCP profile.

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

export const ucpProfileWords = {
  ucp_version_outdated: {
    passed: 'ucp_version_current',
    severity: 'medium',
    label: 'The profile is of a UCP version that most agents no longer speak',
    fix: 'Publish a profile of 2026-08-25 or 2026-04-08, and name the old one in supported_versions.',
    passes: 'The profile is of a UCP version that agents speak',
    meaning: 'The profile is of 2026-01-11, and supported_versions leads to no later one.',
    why: 'An agent and a store need a version in common. Agents that speak only later ones are told so, and leave. Agents of the old version are few.',
    language: 'json',
    before: `{
  "ucp": {
    "version": "2026-01-11",
    "services": {},
    "capabilities": []
  },
  "payment": { "handlers": [] }
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
  ucp_form_departs: {
    passed: 'ucp_form',
    // Low: only agents that validate a profile against its schema refuse it, and few do.
    severity: 'low',
    label: 'The profile departs from its schema where most agents read on',
    fix: 'Leave out members instead of setting them to null, and write the form of the version that the profile names.',
    passes: 'The profile follows its schema',
    meaning:
      'The profile breaks the schema of its version in its form alone: members are null where they should be left out, or a profile of 2026-01-11 has its services and capabilities as later versions write them.',
    why: 'Most agents take null for nothing and go by the form of a profile. An agent that holds the profile to its schema refuses it as a whole.',
    language: 'json',
    before: profile(
      `${SERVICES}\n${capabilities(capability('checkout', 'checkout', ', "extends": null'))}`,
    ),
    after: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
  },
  ucp_agent_card_invalid: {
    passed: 'ucp_agent_card',
    // Medium: agents that speak A2A find no agent here, but the others use REST or MCP.
    severity: 'medium',
    label: 'The agent card cannot be used',
    fix: 'Serve a card with all that A2A requires at the endpoint of the a2a service: name, description, version, capabilities, input and output modes, skills, and where the agent is.',
    passes: 'An agent card that agents can use',
    meaning:
      'The profile offers an A2A agent, and the card at its endpoint lacks something that A2A requires.',
    why: 'Clients of A2A read the card before they talk to the agent, and reject one that is incomplete. Agents that speak REST or MCP buy as before.',
    language: 'http',
    before: `GET https://shop.example/.well-known/agent-card.json

HTTP/1.1 200 OK
Content-Type: application/json

{ "name": "Shop", "url": "https://shop.example/a2a" }`,
    after: `GET https://shop.example/.well-known/agent-card.json

HTTP/1.1 200 OK
Content-Type: application/json

{
  "name": "Shop",
  "description": "Sells tents and boots.",
  "version": "1.0.0",
  "supportedInterfaces": [
    { "url": "https://shop.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }
  ],
  "capabilities": {
    "extensions": [{ "uri": "${UCP}/specification/reference" }]
  },
  "defaultInputModes": ["text/plain", "application/json"],
  "defaultOutputModes": ["application/json"],
  "skills": [
    { "id": "buy", "name": "Buy", "description": "Sells what is in stock.", "tags": ["shopping"] }
  ]
}`,
  },
  ucp_spec_addresses_wrong: {
    passed: 'ucp_spec_addresses',
    // Low: only agents that check each capability's documentation drop it, and few do.
    severity: 'low',
    label: 'Addresses of documentation are not where UCP wants them',
    fix: 'Use https in each spec; before 2026-08-25, put that of a capability on the domain that owns its name, such as ucp.dev.',
    passes: 'Addresses of documentation are where UCP wants them',
    meaning:
      'The address of documentation in a service, a capability or a payment handler is not https; or, in a profile before 2026-08-25, a capability has it on a domain that does not own its name.',
    why: 'Before 2026-08-25, UCP asks agents to reject such a capability: for those that do, the store does not have it. Others read on.',
    language: 'json',
    before: profile(
      `${SERVICES}\n${capabilities(CHECKOUT.replace('" }', `", "spec": "http://docs.shop.example/checkout" }`))}`,
    ),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT.replace('" }', `", "spec": "${UCP}/specification/shopping/checkout/" }`))}`,
    ),
  },
  ucp_names_unknown: {
    passed: 'ucp_names_known',
    severity: 'medium',
    label: 'The profile names things that UCP does not have',
    fix: 'Write the names of dev.ucp as UCP does, and give each its own schema on ucp.dev.',
    passes: 'The profile uses names that UCP knows',
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
    passed: 'ucp_keys_usable',
    severity: 'medium',
    label: 'Agents cannot verify signatures by the keys of the profile',
    fix: 'Publish the public half of the key that signs, as a JWK of the curve P-256 with a kid of its own.',
    passes: 'Keys that agents can verify signatures with',
    meaning:
      'The profile publishes keys, but with none of them, or not with the listed ones, can a signature be verified: the key is damaged, of another curve than it says, meant for encryption, or in a field that agents of this version do not read.',
    why: 'Agents refuse news about orders whose signature they cannot verify. The buyer does not hear that the order was shipped.',
    language: 'json',
    before: publicKey('f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
    after: publicKey('x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
  },
  ucp_webhook_keys_missing: {
    passed: 'ucp_webhook_keys',
    // Low: few stores publish keys at all, and an agent may still ask for the order.
    severity: 'low',
    label: 'Agents cannot verify order webhooks',
    fix: 'Sign order webhooks, and publish the public key in the profile.',
    passes: 'Keys that prove order webhooks are yours',
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
    passed: 'ucp_payment_handlers',
    severity: 'high',
    label: 'Buyers cannot pay inside of the agent',
    fix: 'Add an entry to payment_handlers: your payment provider or Google Pay tells you what belongs in it.',
    passes: 'Buyers can pay inside of the agent',
    meaning:
      'The profile offers a checkout, but payment_handlers is empty: there is no way to pay that an agent could use.',
    why: 'The agent fills the cart, and then the buyer has to leave the conversation, open your page and type in a card. Many do not finish.',
    language: 'json',
    before: paying('    "payment_handlers": {}'),
    after: paying(HANDLER),
  },
  ucp_payment_handler_unusable: {
    passed: 'ucp_payment_handlers_usable',
    severity: 'high',
    label: 'A payment handler cannot be used',
    fix: 'Give each handler an id of its own, and the configuration that its provider asks for.',
    passes: 'Every payment handler can be used',
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
    passed: 'ucp_keys_public',
    severity: 'high',
    label: 'The profile publishes a private key',
    fix: 'Remove the private members and replace the key: anyone who has read it can sign as you.',
    passes: 'Only public keys are published',
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
    passed: 'ucp_parts_kept',
    // UCP overview, Authority Binding and Intersection Algorithm: agents drop such entries
    // silently. High: without a way to ship or to pay the purchase cannot be completed.
    severity: 'high',
    label: 'Agents drop parts of the profile',
    fix: 'Declare the parent of each extension, give each entry of UCP the version of the profile, use https, and host each schema on the domain that owns its name.',
    passes: 'Agents keep every part of the profile',
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
    passed: 'ucp_supported_versions',
    severity: 'medium',
    label: 'Profiles of other versions cannot be read',
    fix: 'Serve a profile of the stated version at each URL in supported_versions, or remove the entry.',
    passes: 'Profiles of other versions can be read',
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
    passed: 'ucp_catalog_declared',
    severity: 'high',
    label: 'The profile offers no catalog',
    fix: 'Offer dev.ucp.shopping.catalog.search and dev.ucp.shopping.catalog.lookup, so that agents find products without a feed.',
    passes: 'The profile offers your catalog',
    meaning: 'The profile offers a checkout, but neither catalog search nor catalog lookup.',
    why: 'Agents can buy a product if they know its id, but have no way to find it. They depend on a feed and on how up to date it is.',
    language: 'json',
    before: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
    after: profile(
      `${SERVICES}\n${capabilities(CHECKOUT, capability('catalog.search', 'catalog_search'), capability('catalog.lookup', 'catalog_lookup'))}`,
    ),
  },
  ucp_catalog_tools_missing: {
    passed: 'ucp_catalog_tools',
    severity: 'medium',
    label: 'The MCP service lacks catalog tools',
    fix: 'Register search_catalog, lookup_catalog, get_product at the MCP endpoint, as the profile promises.',
    passes: 'The MCP service has all catalog tools',
    meaning:
      'The profile offers a catalog over MCP, but the endpoint lists neither search_catalog nor lookup_catalog nor get_product.',
    why: 'Agents call tools by these names. The profile promises a catalog that they cannot use.',
    language: 'text',
    before: 'tools/list   →   create_checkout, get_checkout, update_checkout, complete_checkout',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
  ucp_description_invalid: {
    passed: 'ucp_descriptions',
    severity: 'high',
    label: 'Descriptions have a form that agents cannot read',
    fix: 'Send each description as an object, such as { "plain": "A tent for two." }.',
    passes: 'Descriptions that agents can read',
    meaning:
      'A description in the catalog is a plain text. Official UCP has an object, which says in which form the text is.',
    why: 'Agents read description.plain, .html or .markdown. Of a bare text they read nothing, and cannot tell a buyer what the product is.',
    language: 'json',
    before:
      '{ "description": "A light boot for rough paths, waterproof, with a sole that can be replaced." }',
    after: `{
  "description": {
    "plain": "A light boot for rough paths, waterproof, with a sole that can be replaced."
  }
}`,
  },
  ucp_lookup_broken: {
    passed: 'ucp_lookup',
    severity: 'high',
    label: 'Products cannot be looked up by their ids',
    fix: 'Answer catalog lookup for the ids of products and of variants, and leave out ids that you do not have.',
    passes: 'Products can be looked up by their ids',
    meaning:
      'The catalog lists a product, but when it is asked for that product or one of its variants by id, it does not answer with it.',
    why: 'An agent keeps the ids of what a buyer liked and comes back with them. Without the lookup it finds nothing to buy.',
    language: 'json',
    before: '{ "products": [] }',
    after: `{
  "products": [
    {
      "id": "boot",
      "variants": [
        { "id": "boot-42", "inputs": [{ "id": "boot-42", "match": "exact" }] }
      ]
    }
  ]
}`,
  },
  ucp_product_unresolved: {
    passed: 'ucp_product_resolves',
    severity: 'high',
    label: 'Choosing options does not lead to the right variant',
    fix: 'Answer catalog product with the product that was asked for, and list the variant with the selected options first.',
    passes: 'Choosing options leads to the right variant',
    meaning:
      'The catalog was asked for one product with options selected, such as a size. The first variant of the answer is another one.',
    why: 'Agents buy the first variant. The buyer gets the wrong size or colour, and sends it back.',
    language: 'json',
    before: `{
  "product": {
    "id": "boot",
    "variants": [{ "id": "boot-41", "options": [{ "name": "size", "label": "41" }] }]
  }
}`,
    after: `{
  "product": {
    "id": "boot",
    "variants": [{ "id": "boot-42", "options": [{ "name": "size", "label": "42" }] }]
  }
}`,
  },
  ucp_transports_differ: {
    passed: 'ucp_transports_agree',
    severity: 'high',
    label: 'The services of the store say different things of the same product',
    fix: 'Answer from one source over REST and MCP: the same ids, prices and stock.',
    passes: 'All services say the same of a product',
    meaning:
      'The store offers its catalog over REST and over MCP, and the two name different prices for the same variant.',
    why: 'Which one an agent asks is its own choice. Some buyers are quoted a price that they do not pay.',
    language: 'json',
    before: `{
  "products": [
    { "id": "boot", "variants": [{ "id": "boot-42", "price": { "amount": 19900, "currency": "USD" } }] }
  ]
}`,
    after: `{
  "products": [
    { "id": "boot", "variants": [{ "id": "boot-42", "price": { "amount": 18900, "currency": "USD" } }] }
  ]
}`,
  },
  ucp_not_shoppable: {
    passed: 'ucp_shoppable',
    severity: 'critical',
    label: 'The profile is valid but offers neither a checkout nor a cart',
    fix: 'Offer dev.ucp.shopping.checkout, or dev.ucp.shopping.cart alone, over a service with an https endpoint.',
    passes: 'The profile offers a checkout, or a cart that leads to one',
    meaning:
      'The profile is valid, but offers neither a checkout nor a cart, or no service with an endpoint through which agents can reach them.',
    why: 'Agents find the store but cannot buy anything, and leave. A valid file is not enough to sell.',
    language: 'json',
    before: profile('    "services": {},\n    "capabilities": {},'),
    after: profile(`${SERVICES}\n${capabilities(CHECKOUT)}`),
  },
  ucp_endpoint_unreachable: {
    passed: 'ucp_endpoint_reachable',
    severity: 'critical',
    label: 'No service of the profile answers',
    fix: 'Make sure that the endpoints named in the profile answer.',
    passes: 'A service of the profile answers',
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
    passed: 'ucp_checkout_tools',
    severity: 'high',
    label: 'The MCP service lacks checkout tools',
    fix: 'Register create_checkout, get_checkout, update_checkout, complete_checkout at the MCP endpoint, as the profile promises.',
    passes: 'The MCP service has all checkout tools',
    meaning:
      'The profile offers a checkout over MCP, but the endpoint does not list create_checkout.',
    why: 'Agents start a purchase with this tool. Without it there is no cart.',
    language: 'text',
    before: 'tools/list   →   search_catalog, lookup_catalog, get_product',
    after: `tools/list   →   search_catalog, lookup_catalog, get_product,
                 create_checkout, get_checkout, update_checkout, complete_checkout`,
  },
  ucp_transport_unreachable: {
    passed: 'ucp_transports_reachable',
    severity: 'high',
    label: 'One service of the profile does not answer',
    fix: 'Make this endpoint answer, or take the service out of the profile.',
    passes: 'Every service of the profile answers',
    meaning:
      'The profile names a REST and an MCP service, and there is nothing at the address of one of them.',
    why: 'Many agents speak one of the two alone. Those that need the dead one read in the profile that they can buy, and then cannot.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "code": "invalid_request", "content": "line_items is a list." }

POST https://shop.example/ucp/mcp

HTTP/1.1 404 Not Found
Content-Type: text/html`,
    after: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "code": "invalid_request", "content": "line_items is a list." }

POST https://shop.example/ucp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{ "jsonrpc": "2.0", "id": 1, "result": { "tools": [{ "name": "create_checkout" }] } }`,
  },
  ucp_post_redirected: {
    passed: 'ucp_post_direct',
    severity: 'high',
    label: 'A service of the profile redirects agents',
    fix: 'Answer POST at the address in the profile, or name the address where it leads.',
    passes: 'Services answer without a redirect',
    meaning:
      'A POST to a service of the profile is answered by a redirect, often because of a slash at the end of the path.',
    why: 'A client does not send a POST again to another address by itself, since it could buy twice. The agent gives up.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 307 Temporary Redirect
Location: https://shop.example/ucp/checkout-sessions/`,
    after: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 201 Created
Content-Type: application/json

{ "ucp": { "version": "2026-08-25" }, "id": "chk_1" }`,
  },
  ucp_accept_refused: {
    passed: 'ucp_accept_json',
    severity: 'medium',
    label: 'The MCP service refuses agents that accept only JSON',
    fix: 'Answer requests with Accept: application/json by a single JSON document, without a 406.',
    passes: 'The MCP service answers agents that accept only JSON',
    meaning:
      'The MCP service answers 406 to requests that accept application/json alone, and works when they accept text/event-stream as well.',
    why: 'MCP lets servers demand both, and many libraries do so unless they are told otherwise. Agents that accept only JSON are in use, and to them the store seems to be broken.',
    language: 'http',
    before: `POST https://shop.example/ucp/mcp

HTTP/1.1 406 Not Acceptable
Content-Type: application/json

{ "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": "Not Acceptable" } }

POST https://shop.example/ucp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{ "jsonrpc": "2.0", "id": 2, "result": { "tools": [{ "name": "create_checkout" }] } }`,
    after: `POST https://shop.example/ucp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{ "jsonrpc": "2.0", "id": 1, "result": { "tools": [{ "name": "create_checkout" }] } }`,
  },
  ucp_tools_missing: {
    passed: 'ucp_tools',
    severity: 'low',
    label: 'The MCP service lacks tools for carts, orders or cancelling',
    fix: 'Register every tool of the capabilities in the profile, or take the capability out.',
    passes: 'The MCP service has the tools for carts, orders and cancelling',
    meaning:
      'The profile offers carts, orders or a checkout over MCP, and tools that belong to them are not in the list.',
    why: 'Buying works without them. But an agent cannot cancel a checkout, keep a cart, or say where an order is, although the profile promises it.',
    language: 'text',
    before: 'tools/list   →   create_checkout, get_checkout, update_checkout, complete_checkout',
    after: `tools/list   →   create_checkout, get_checkout, update_checkout, complete_checkout,
                 cancel_checkout, get_order`,
  },
  ucp_version_mismatch: {
    passed: 'ucp_version_negotiated',
    severity: 'high',
    label: 'The store answers in another version than agreed',
    fix: "Write every answer in the version of the agent's profile, and name it in ucp.version.",
    passes: 'The store answers in the agreed version',
    meaning:
      'An agent whose profile is written in one version of UCP gets answers that name another one in ucp.version.',
    why: 'Versions write the same things differently: a description is a string in one and an object in the next. An agent that agreed on one misreads the other, or refuses it.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions
UCP-Agent: profile="https://agent.example/2026-08-25.json"

HTTP/1.1 200 OK
Content-Type: application/json

{ "ucp": { "version": "2026-04-08", "status": "error" }, "messages": [] }`,
    after: `POST https://shop.example/ucp/checkout-sessions
UCP-Agent: profile="https://agent.example/2026-08-25.json"

HTTP/1.1 200 OK
Content-Type: application/json

{ "ucp": { "version": "2026-08-25", "status": "error" }, "messages": [] }`,
  },
  ucp_wrong_content_type: {
    passed: 'ucp_content_type',
    severity: 'low',
    label: 'The services send JSON under another type',
    fix: 'Send Content-Type: application/json with every answer of the services.',
    passes: 'The services send JSON as JSON',
    meaning: 'The answers are JSON, but Content-Type says that they are something else.',
    why: 'Most agents read the body all the same. Libraries that look at the type first take it for text, and proxies may change it.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: text/html

{ "code": "invalid_request", "content": "line_items is a list." }`,
    after: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "code": "invalid_request", "content": "line_items is a list." }`,
  },
  ucp_error_body_invalid: {
    passed: 'ucp_error_body',
    severity: 'low',
    label: 'Agents cannot read why the store refuses',
    fix: 'Answer what is wrong with code and content in JSON, and over MCP with a JSON-RPC error.',
    passes: 'Agents can read why the store refuses',
    meaning:
      'A request with a mistake is refused with a page or a text instead of a code and a sentence in JSON.',
    why: 'Agents correct their mistakes by themselves when they can read what is wrong. A page tells them only that it did not work.',
    language: 'http',
    before: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: text/html

<!doctype html><title>Bad Request</title>`,
    after: `POST https://shop.example/ucp/checkout-sessions

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "code": "invalid_request", "content": "line_items is a list." }`,
  },
  ucp_agent_answered: { passes: 'The store answers the agent of this audit' },
} satisfies RuleWords
