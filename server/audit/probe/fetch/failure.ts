import type { NoAnswer } from '../../../../shared/web/http/fetched.ts'

type Why = NoAnswer['why']

/**
 * The same text for a refused address, a name without an address, a closed port and a failed
 * handshake, so that a caller learns nothing about the network around this service.
 */
export const NOT_REACHED =
  'no public web server answered there; check the host name, its DNS records and its firewall'

/** A request without a response; the message becomes part of the evidence. */
export class Failure extends Error {
  readonly why: Why

  constructor(why: Why, message: string) {
    super(message)
    this.name = 'Failure'
    this.why = why
  }
}

/** The one failure for everything that must look the same from outside. */
export const unreachable = () => new Failure('unreachable', NOT_REACHED)

/**
 * A name that TEST_HOSTS sends to this machine, where nothing listens: it tells about no network.
 */
export const testHostNotReached = (origin: string) =>
  new Failure(
    'unreachable',
    `nothing listens at ${origin}, where TEST_HOSTS sends this name; start what serves it ("npm run store" is on port 8788)`,
  )

export const dnsTimeout = (limitMs: number) =>
  new Failure('timeout', `the name was not resolved within ${limitMs} ms; check its DNS`)

export const connectTimeout = () => new Failure('timeout', 'could not connect in time')

export const headersTimeout = () =>
  new Failure('timeout', 'the response headers did not arrive in time')

/** A failure to connect. A certificate is named: only a server of a public address shows one. */
export function connectFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    return new Failure(
      'certificate',
      `the TLS certificate is not valid (${code}); install one that is valid for this name`,
    )
  }
  return unreachable()
}

/** Anything else that ended a request which had its connection. */
export function answerFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new Failure('too_large', 'the response headers are larger than 16 KiB; send fewer')
  }
  return new Failure(
    'protocol',
    `the response is not valid HTTP or is incomplete (${code || 'no code'}); check the web server`,
  )
}

/** Whether the other machine has nothing on that port. */
export const isRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED'

/** The code that Node, OpenSSL or undici give their errors (https://nodejs.org/api/errors.html). */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
