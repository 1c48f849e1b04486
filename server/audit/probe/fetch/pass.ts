import { Failure } from './failure.ts'

/** What the owner of a site gave, as it is sent: to these hosts, over https, and nowhere else. */
export interface Pass {
  /** Exact names in their normal form. */
  hosts: readonly string[]
  /** The owner's headers, names in lower case: sent with requests in our own name alone. */
  headers: Readonly<Record<string, string>>
  /** What opens the door for everybody: sent with requests in other names as well. */
  door: Readonly<Record<string, string>>
  /** Whether a text repeats a secret of it, in any usual encoding: it must not go elsewhere. */
  isRepeatedIn: (text: string) => boolean
}

/** What names a signature: two signatures of one request must not be mixed. */
const OF_SIGNATURE = ['signature', 'signature-input', 'signature-agent']

/** Whether a request goes to the site itself: https on its own port, by its exact name. */
const isAtHome = ({ hosts }: Pass, url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname)

/**
 * The headers of a request with what the pass adds to it, for each address anew: a redirect leads
 * elsewhere. What a request says itself stays, except a signature, which the owner's replaces, and
 * what the door asks of everybody.
 * Throws a Failure where a store has put what it was sent into an address of another host.
 */
export function withPass(
  pass: Pass | undefined,
  url: URL,
  sent: { headers: Record<string, string>; userAgent?: string; body?: string },
): Record<string, string> {
  const { headers } = sent
  if (pass === undefined) return headers
  if (!isAtHome(pass, url)) {
    if (repeatsSecret(pass, url, sent)) {
      throw new Failure(
        'redirect',
        'a request to another host that would repeat what the owner gave for this store',
      )
    }
    return headers
  }
  if (sent.userAgent !== undefined) return { ...headers, ...pass.door }
  const isSigned = OF_SIGNATURE.some((name) => name in pass.headers)
  const own = Object.entries(headers).filter(
    ([name]) => !isSigned || !OF_SIGNATURE.includes(name.toLowerCase()),
  )
  const cookies = [pass.headers, headers, pass.door].flatMap(({ cookie }) => cookie ?? [])
  return {
    ...pass.headers,
    ...Object.fromEntries(own),
    ...pass.door,
    // One header for all of them (RFC 6265, 5.4).
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  }
}

const repeatsSecret = (
  { isRepeatedIn }: Pass,
  url: URL,
  { headers, body = '' }: { headers: Record<string, string>; body?: string },
): boolean => [url.href, body, ...Object.values(headers)].some(isRepeatedIn)
