import { AGENT_PATTERN, APP_PATTERN } from './agents.ts'

/** What a server knows of a request when it has answered it. */
export interface FetchSeen {
  /** When it came, in milliseconds since 1970. */
  at: number
  method: string
  /** With or without its origin; its query is not sent. */
  url: string
  host?: string | undefined
  status: number
  header: (name: string) => string | null | undefined
  address?: string | null | undefined
  /** What the platform calls the request. */
  id?: string | null | undefined
  /** The answer was a challenge of a firewall. */
  challenged?: boolean
  /** The platform has verified whose agent it was. */
  vouched?: boolean
}

const SIGNATURE = ['signature', 'signature-input', 'signature-agent']

// What Aisle takes of each; longer ones would only fill the memory.
const LONGEST_PATH = 2000
const LONGEST_AGENT = 500
const LONGEST_SIGNATURE = 2000

/** Whether a User-Agent names an AI agent. Nothing is sent of other requests. */
export const isAgent = (userAgent: string | null | undefined): boolean =>
  typeof userAgent === 'string' && AGENT_PATTERN.test(userAgent) && !APP_PATTERN.test(userAgent)

// Unspecified: a line has an id of its own, that of the platform or a random one, so that it counts
// once however often it is sent. A collector keeps neither files nor offsets.

/** The line of `POST /api/fetches`. */
export function sentLineOf(seen: FetchSeen): string {
  const { at, method, url, host, status, header, address, id, challenged, vouched } = seen
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  const signed = SIGNATURE.flatMap((name) => {
    const value = header(name)
    return value && value.length <= LONGEST_SIGNATURE ? [[name, value]] : []
  })
  return JSON.stringify({
    at,
    method,
    host: hostOf(host),
    path: path.slice(0, LONGEST_PATH) || '/',
    status,
    userAgent: header('user-agent')?.slice(0, LONGEST_AGENT),
    address: address?.slice(0, 100) || undefined,
    ...(challenged && { challenged }),
    ...(vouched && { vouched }),
    ...(signed.length > 1 && { signature: Object.fromEntries(signed) }),
    id: id?.slice(0, 200) || crypto.randomUUID(),
  })
}

/**
 * The host as it is known outside. Undefined behind a proxy that asks for `localhost:3000` or
 * `backend`: the line is of the domain then.
 */
const hostOf = (text: string | undefined): string | undefined => {
  const host = text?.toLowerCase().replace(/:\d+$/, '')
  return host !== undefined && /^[a-z\d-][a-z\d.-]{0,250}\.[a-z][a-z\d-]*$/.test(host)
    ? host
    : undefined
}
