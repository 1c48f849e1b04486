import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `acp`.

const dead = (request: string): string => `${request}

HTTP/1.1 404 Not Found
Content-Type: text/html`

const refusal = (request: string): string => `${request}

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "code": "validation_error", "message": "items is missing." }`

export const acpDocs: GapDocs = {
  acp_discovery_invalid: {
    meaning:
      '/.well-known/acp.json is there, but is no JSON or lacks fields of the discovery document. A store without this file is whole: the file is optional.',
    why: 'An agent that finds the file believes it. A broken one misleads where none would have done no harm.',
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
      'POST /acp/checkout/create is not served: it answers 404 or 405, redirects, or nobody is there.',
    why: 'It is the first call of every purchase, behind the tool initiate_checkout. Without it no agent of this protocol can buy.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/create'),
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_update_unreachable: {
    meaning:
      'PATCH /acp/checkout/:id/update is not served: it answers 405, redirects, or says 404 without a word about the session.',
    why: 'By this call the buyer chooses the shipping, and learns the total. Without it they pay what they have not seen, or stop.',
    language: 'http',
    before: dead('PATCH https://shop.example/acp/checkout/unknown/update'),
    after: refusal('PATCH https://shop.example/acp/checkout/unknown/update'),
  },
  acp_complete_unreachable: {
    meaning:
      'POST /acp/checkout/:id/complete is not served: it answers 405, redirects, or says 404 without a word about the session.',
    why: 'It is the call that pays, behind the tool confirm_purchase. Carts can be created and never be bought.',
    language: 'http',
    before: dead('POST https://shop.example/acp/checkout/unknown/complete'),
    after: refusal('POST https://shop.example/acp/checkout/unknown/complete'),
  },
  acp_error_body_invalid: {
    meaning:
      'A request that has to be refused was accepted, or the refusal has no code and message.',
    why: 'The agent reads message to the buyer and decides by code whether to try again. Without them the conversation ends in a guess.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout/create

HTTP/1.1 422 Unprocessable Content
Content-Type: application/json

{ "status": "failed" }`,
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
  acp_wrong_content_type: {
    meaning: 'Answers of the ACP endpoints are JSON, but their Content-Type says something else.',
    why: 'Clients choose their parser by this header, for errors too. They cannot tell the buyer what went wrong.',
    language: 'http',
    before: `POST https://shop.example/acp/checkout/create

HTTP/1.1 422 Unprocessable Content
Content-Type: text/plain

{ "code": "validation_error", "message": "items is missing." }`,
    after: refusal('POST https://shop.example/acp/checkout/create'),
  },
}
