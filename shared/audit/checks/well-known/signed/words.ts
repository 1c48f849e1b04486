import type { RuleWords } from '../../../rule-words.ts'

/** Data: the words of the rules on signed requests. */
export const signedWords = {
  signed_agents_refused: {
    passed: 'signed_agents_admitted',
    severity: 'high',
    label: 'The server refuses agents that sign their requests',
    fix: 'Let requests with a verified signature through at your CDN or firewall: in Cloudflare by a custom rule with the action Skip, in Amazon’s firewall by a rule on the label bot:verified after Bot Control, in Akamai by the action of the bot category, in Fastly by fastly.bot.category.is_verified, in nginx by taking them out of the rule on the User-Agent.',
    passes: 'The server lets in agents that sign their requests',
    meaning:
      'The same request gets an answer from a browser, or without a signature, and is refused when it is signed by Web Bot Auth. The signature says who asks, in a way that can be verified.',
    why: 'Assistants that shop for people sign what they send, so that stores can tell them from scrapers. A store that refuses what is signed keeps out those who say who they are.',
    language: 'text',
    before: `GET https://shop.example/

without a signature          200
signed by Web Bot Auth       403`,
    after: `GET https://shop.example/

without a signature          200
signed by Web Bot Auth       200`,
  },
  ucp_signature_not_asked_for: {
    passed: 'signature_asked_for',
    severity: 'medium',
    label: 'The checkout wants a signature and does not say so',
    fix: 'Answer an unsigned request with Accept-Signature, or with a code such as signature_missing that names what is wanted.',
    passes: 'A checkout that wants a signature says so',
    meaning:
      'A request without a signature is refused, and the same one signed is answered. The refusal names neither a signature nor the header that asks for one.',
    why: 'An agent that could sign reads a plain refusal, takes the checkout for closed, and goes to another store.',
    language: 'http',
    before: `POST https://shop.example/ucp/v1/checkout-sessions

HTTP/1.1 401 Unauthorized
Content-Type: application/json

{"code": "unauthorized"}`,
    after: `POST https://shop.example/ucp/v1/checkout-sessions

HTTP/1.1 401 Unauthorized
Content-Type: application/json
Accept-Signature: sig1=("@method" "@authority" "@path" "content-digest");keyid

{"code": "signature_missing"}`,
  },
  signature_directory_unusable: {
    passed: 'signature_directory_usable',
    severity: 'low',
    label: 'The directory of signing keys cannot be used',
    fix: 'Serve /.well-known/http-message-signatures-directory to everyone, without a redirect, as application/http-message-signatures-directory+json, with a list "keys" of public keys.',
    passes: 'The directory of signing keys can be used',
    meaning:
      'The store publishes keys at /.well-known/http-message-signatures-directory, by which others verify what it signs, and a verifier cannot use them: the type is another one, the list is missing, or a key lacks a part.',
    why: 'What is signed with these keys does not verify anywhere. A key that shows its private part lets anyone sign as the store.',
    language: 'http',
    before: `GET https://shop.example/.well-known/http-message-signatures-directory

HTTP/1.1 200 OK
Content-Type: text/plain

{"keys": []}`,
    after: `GET https://shop.example/.well-known/http-message-signatures-directory

HTTP/1.1 200 OK
Content-Type: application/http-message-signatures-directory+json

{"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "NFcWBst6DXG-N35nHdzMrioWntdzNZghQSkjHNMMSjw", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]}`,
  },
} satisfies RuleWords
