// draft-ietf-webbotauth-httpsig-protocol-01 of 2026-10-29.

/** Where the keys of an origin are published. */
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

/** The type that the draft demands of it. */
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
