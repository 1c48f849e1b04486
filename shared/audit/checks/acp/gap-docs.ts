import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `acp`.

/** An endpoint that is not there, as its answer looks. */
const dead = (request: string): string => `${request}

HTTP/1.1 404 Not Found
Content-Type: text/html`

/** A refusal as the spec wants it (spec, ACP errors). */
const refusal = (request: string): string => `${request}

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "code": "validation_error", "message": "items is missing." }`

export const acpDocs: GapDocs = {
  acp_discovery_invalid: {
    meaning:
      '/.well-known/acp.json exists, but it is not valid JSON or lacks required fields. The file is optional: a store works without it.',
    why: 'An agent that cannot use the file has to try the usual paths instead. A broken file can mislead agents, while a missing one does no harm.',
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
  acp_create_unreachable: {
    meaning:
      'POST /acp/checkout/create is not served: it answers 404 or 405, redirects, or the server does not respond.',
    why: 'It is the first call of every purchase, made by the tool initiate_checkout. Without it, agents that use this protocol cannot buy anything.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/create'),
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_update_unreachable: {
    meaning:
      'PATCH /acp/checkout/:id/update is not served: it answers 405, redirects, or answers 404 without a JSON body about the session.',
    why: 'With this call the buyer chooses the shipping and sees the total. Without it, buyers pay an amount they have not seen, or give up.',
    language: 'http',
    before: dead('PATCH https://shop.example/acp/checkout/unknown/update'),
    after: refusal('PATCH https://shop.example/acp/checkout/unknown/update'),
  },
  acp_complete_unreachable: {
    meaning:
      'POST /acp/checkout/:id/complete is not served: it answers 405, redirects, or answers 404 without a JSON body about the session.',
    why: 'It is the call that pays, made by the tool confirm_purchase. Without it, carts can be created but never bought.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/unknown/complete'),
    after: refusal('POST https://shop.example/acp/checkout/unknown/complete'),
  },
  acp_error_body_invalid: {
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
    meaning: 'The ACP endpoints answer with JSON, but their Content-Type says something else.',
    why: 'Clients use this header to choose a parser, for errors too. With the wrong one they cannot read the answer, and the purchase ends there.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout/create

HTTP/1.1 422 Unprocessable Content
Content-Type: text/plain

{ "code": "validation_error", "message": "items is missing." }`,
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
}
