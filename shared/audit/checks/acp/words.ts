import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `acp`.

/** An endpoint that is not there, as its answer looks. */
const dead = (request: string): string => `${request}

HTTP/1.1 404 Not Found
Content-Type: text/html`

/** A refusal as the spec wants it (spec, ACP errors). */
const refusal = (request: string): string => `${request}

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "code": "validation_error", "message": "items is missing." }`

/** A refusal as official ACP wants it (ACP 2026-04-17, Error). */
const officialRefusal = (request: string): string => `${request}

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "type": "invalid_request", "code": "missing_field",
  "message": "line_items is missing.", "param": "$.line_items" }`

export const acpWords = {
  acp_discovery_invalid: {
    passed: 'acp_discovery',
    // Low: the file is optional. Agents that cannot use it are given the address another way.
    severity: 'low',
    label: 'The ACP discovery document is invalid',
    fix: 'Fix the listed faults of /.well-known/acp.json.',
    passes: 'A valid ACP discovery document',
    meaning:
      '/.well-known/acp.json exists, but it is not valid JSON or lacks required fields. The finding lists each fault.',
    why: 'The file tells agents the address of your checkout. Those that cannot use it try the usual paths, and find nothing if your ACP is elsewhere. If you remove it, they have to try those as well.',
    language: 'json',
    before: `{
  "protocol": { "name": "acp", "version": "2026-04-17" },
  "api_base_url": "http://shop.example/acp"
}`,
    after: `{
  "protocol": {
    "name": "acp",
    "version": "2026-04-17",
    "supported_versions": ["2026-04-17"]
  },
  "api_base_url": "https://shop.example/acp",
  "transports": ["rest"],
  "capabilities": { "services": ["checkout", "orders"] }
}`,
  },
  acp_discovery_not_cacheable: {
    passed: 'acp_discovery_cacheable',
    severity: 'low',
    label: 'The ACP discovery document cannot be cached',
    fix: 'Send Cache-Control: public, max-age=3600 with /.well-known/acp.json.',
    passes: 'The ACP discovery document can be cached',
    meaning:
      '/.well-known/acp.json is sent with a Cache-Control that forbids caches to keep it for an hour.',
    why: 'Agents read this file before each purchase. If they may not keep it, every purchase begins with one more request, and fails while that one fails.',
    language: 'http',
    before: `GET https://shop.example/.well-known/acp.json

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: no-store

{ … }`,
    after: `GET https://shop.example/.well-known/acp.json

HTTP/1.1 200 OK
Content-Type: application/json
Cache-Control: public, max-age=3600

{ … }`,
  },
  acp_create_unreachable: {
    passed: 'acp_create_reachable',
    severity: 'critical',
    label: 'The ACP create endpoint does not answer',
    fix: 'Answer POST {api_base_url}/checkout_sessions with JSON, or POST /acp/checkout/create where you have no acp.json.',
    passes: 'ACP: a checkout can be created',
    meaning:
      'The call that creates a checkout is not served: POST /checkout_sessions below api_base_url in official ACP, POST /acp/checkout/create otherwise. It answers 404 or 405, refuses JSON (415), redirects, answers 200 with something that is not a checkout, or the server does not respond.',
    why: 'It is the first call of every purchase, made by the tool initiate_checkout. Without it, agents that use this protocol cannot buy anything.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/create'),
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_update_unreachable: {
    passed: 'acp_update_reachable',
    // Not critical: an agent can send the shipping option when it creates or completes the session.
    severity: 'high',
    label: 'The ACP update endpoint does not answer',
    fix: 'Answer POST {api_base_url}/checkout_sessions/{id} with JSON, or PATCH /acp/checkout/:id/update where you have no acp.json.',
    passes: 'ACP: a checkout can be updated',
    meaning:
      'The call that changes a checkout is not served: POST /checkout_sessions/{id} below api_base_url in official ACP, PATCH /acp/checkout/:id/update otherwise. It answers 405, redirects, answers 404 without a JSON body about the session, or 200 with something that is not a checkout.',
    why: 'With this call the buyer chooses the shipping and sees the total. Without it, buyers pay an amount they have not seen, or give up.',
    language: 'http',
    before: dead('PATCH https://shop.example/acp/checkout/unknown/update'),
    after: refusal('PATCH https://shop.example/acp/checkout/unknown/update'),
  },
  acp_complete_unreachable: {
    passed: 'acp_complete_reachable',
    severity: 'critical',
    label: 'The ACP complete endpoint does not answer',
    fix: 'Answer POST {api_base_url}/checkout_sessions/{id}/complete with JSON, or POST /acp/checkout/:id/complete where you have no acp.json.',
    passes: 'ACP: a checkout can be completed',
    meaning:
      'The call that pays is not served: POST /checkout_sessions/{id}/complete below api_base_url in official ACP, POST /acp/checkout/:id/complete otherwise. It answers 405, redirects, answers 404 without a JSON body about the session, or 200 with something that is not a checkout.',
    why: 'The tool confirm_purchase makes this call. Without it, carts can be created but never bought.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/unknown/complete'),
    after: refusal('POST https://shop.example/acp/checkout/unknown/complete'),
  },
  acp_error_body_invalid: {
    passed: 'acp_error_body',
    severity: 'high',
    label: 'ACP errors have no code or no message',
    fix: 'Answer every error with "code" and a "message" that a person can read.',
    passes: 'ACP: errors that agents can explain',
    meaning: 'An invalid request was accepted, or the error response has no code or no message.',
    why: 'The agent shows the message to the buyer and uses the code to decide whether to try again. Without them it can only guess.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout/create

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "status": "failed" }`,
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_wrong_content_type: {
    passed: 'acp_content_type',
    // Spec: "All ACP responses carry Content-Type: application/json", errors included. High: a
    // client that relies on the header cannot read the answer and ends the purchase.
    severity: 'high',
    label: 'ACP answers have the wrong content type',
    fix: 'Send Content-Type: application/json with every ACP answer, errors included.',
    passes: 'ACP: answers are sent as JSON',
    meaning: 'The ACP endpoints answer with JSON, but their Content-Type says something else.',
    why: 'Clients use this header to choose a parser, for errors too. With the wrong one they cannot read the answer, and the purchase ends there.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout/create

HTTP/1.1 422 Unprocessable Content
Content-Type: text/plain

{ "code": "validation_error", "message": "items is missing." }`,
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_services_missing: {
    passed: 'acp_services',
    severity: 'critical',
    label: 'Nothing answers where acp.json says',
    fix: 'Set api_base_url in /.well-known/acp.json to the address below which /checkout_sessions is served.',
    passes: 'ACP: services answer where acp.json says',
    meaning:
      '/.well-known/acp.json names an address in api_base_url, but nothing is served there: not one of the calls of a purchase.',
    why: 'Agents go where the file sends them. All of them arrive at a dead end, even if the endpoints work at another address.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout_sessions'),
    after: officialRefusal('POST https://shop.example/acp/checkout_sessions'),
  },
  acp_version_mismatch: {
    passed: 'acp_versions',
    severity: 'high',
    label: 'acp.json names versions that are refused',
    fix: 'List in protocol.supported_versions only the versions that every checkout endpoint accepts in API-Version.',
    passes: 'ACP: every version that acp.json names is accepted',
    meaning:
      '/.well-known/acp.json lists a version of ACP that the endpoints refuse when an agent sends it in API-Version.',
    why: 'An agent picks its version from this list and sends it with every call. With a version that is refused, no purchase even begins.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout_sessions
API-Version: 2026-04-17

HTTP/1.1 400 Bad Request
Content-Type: application/json

{ "type": "invalid_request", "code": "unsupported_api_version",
  "message": "Send API-Version 2026-01-30.", "supported_versions": ["2026-01-30"] }`,
    after: officialRefusal('POST https://shop.example/acp/checkout_sessions'),
  },
  acp_carts_missing: {
    passed: 'acp_carts',
    severity: 'low',
    label: 'acp.json names carts that are not served',
    fix: 'Serve POST /carts below api_base_url, or take "carts" out of capabilities.services.',
    passes: 'ACP: carts that acp.json names are served',
    meaning:
      '/.well-known/acp.json lists "carts" among its services, but POST /carts below api_base_url answers 404 or 405, or 200 without a cart.',
    why: 'An agent that collects what a buyer likes starts with a cart, as the file says it can. It fails there, and may not try a checkout instead.',
    language: 'http',
    before: dead('POST https://shop.example/acp/carts'),
    after: officialRefusal('POST https://shop.example/acp/carts'),
  },
  acp_error_type_invalid: {
    passed: 'acp_error_type',
    severity: 'low',
    label: 'ACP errors lack their type',
    fix: 'Send "type", "code" and "message" at the top of every error: type is invalid_request, processing_error or service_unavailable.',
    passes: 'ACP: errors say their type',
    meaning:
      'An error of official ACP has a code and a message, but not its type, or they stand inside another object.',
    why: 'The type tells an agent whether to correct its request, to wait, or to give up. Without it, an agent that checks answers by the schema reads no error at all.',
    language: 'http',
    before: refusal('POST https://shop.example/acp/checkout_sessions'),
    after: officialRefusal('POST https://shop.example/acp/checkout_sessions'),
  },
  acp_tools_missing: {
    passed: 'acp_tools',
    severity: 'high',
    label: 'The ACP service over MCP lacks checkout tools',
    fix: 'Register all five tools of ACP at the MCP endpoint, or take "mcp" out of transports in acp.json.',
    passes: 'ACP over MCP: all checkout tools',
    meaning:
      'acp.json says that the store speaks ACP over MCP, and the list of tools there lacks one that a purchase needs.',
    why: 'An agent that uses MCP opens a checkout and cannot end it. ACP wants all five tools of a store that names MCP.',
    language: 'http',
    before: `POST https://shop.example/acp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{
  "jsonrpc": "2.0",
  "id": 1,
  "result": { "tools": [{ "name": "create_checkout_session" }, { "name": "get_checkout_session" }] }
}`,
    after: `POST https://shop.example/acp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{
  "jsonrpc": "2.0",
  "id": 1,
  "result": {
    "tools": [
      { "name": "create_checkout_session" },
      { "name": "get_checkout_session" },
      { "name": "update_checkout_session" },
      { "name": "complete_checkout_session" },
      { "name": "cancel_checkout_session" }
    ]
  }
}`,
  },
  acp_cancel_tool_missing: {
    passed: 'acp_cancel_tool',
    severity: 'low',
    label: 'The ACP service over MCP lacks the tool to cancel',
    fix: 'Register cancel_checkout_session at the MCP endpoint.',
    passes: 'ACP over MCP: the tool to cancel',
    meaning: 'The list of tools of ACP over MCP has no tool to cancel a checkout.',
    why: 'An agent whose buyer gives up cannot say so: the checkout stays open, and what it reserves, until it expires.',
    language: 'http',
    before: `POST https://shop.example/acp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{
  "jsonrpc": "2.0",
  "id": 1,
  "result": { "tools": [{ "name": "create_checkout_session" }] }
}`,
    after: `POST https://shop.example/acp/mcp

HTTP/1.1 200 OK
Content-Type: application/json

{
  "jsonrpc": "2.0",
  "id": 1,
  "result": {
    "tools": [{ "name": "create_checkout_session" }, { "name": "cancel_checkout_session" }]
  }
}`,
  },
} satisfies RuleWords
