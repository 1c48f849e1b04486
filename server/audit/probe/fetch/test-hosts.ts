import ipaddr from 'ipaddr.js'

/** A name, or `*.suffix` for every name below it, that is served by a loopback origin. */
export interface TestHost {
  pattern: string
  /** Such as `http://127.0.0.1:8788`. */
  origin: string
}

/** In the order in which they are tried: exact names first, then the longer suffix. */
export type TestHosts = readonly TestHost[]

/** A host name in lower case, with a star for its first labels or without. */
const PATTERN = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/

/**
 * Reads `*.example=http://127.0.0.1:8788,x.test=http://…`, the form of TEST_HOSTS.
 * Throws when an entry cannot be read, leads off loopback, or NODE_ENV is `production`.
 */
export function parseTestHosts(text: string | undefined, nodeEnv: string | undefined): TestHosts {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length > 0 && nodeEnv === 'production') {
    throw new Error('TEST_HOSTS sends names to this machine: unset it when NODE_ENV=production.')
  }
  return entries
    .map(parseEntry)
    .toSorted(
      (a, b) =>
        Number(a.pattern.startsWith('*')) - Number(b.pattern.startsWith('*')) ||
        b.pattern.length - a.pattern.length,
    )
}

/** One entry; throws with what is wrong and an example that is right. */
function parseEntry(entry: string): TestHost {
  const [pattern = '', origin = '', ...rest] = entry.toLowerCase().split('=')
  const url = URL.parse(origin)
  if (rest.length > 0 || !PATTERN.test(pattern) || ipaddr.isValid(pattern) || !url) {
    throw new Error(
      `TEST_HOSTS: "${entry}" is not "name=origin", such as *.example=http://127.0.0.1:8788.`,
    )
  }
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  if (url.protocol !== 'http:' || !bare || !isLoopback(url.hostname)) {
    throw new Error(
      `TEST_HOSTS: "${origin}" is not a loopback origin, such as http://127.0.0.1:8788.`,
    )
  }
  return { pattern, origin: url.origin }
}

/** `localhost` and loopback addresses: TEST_HOSTS must not open a way into another network. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return (
    host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
  )
}

/** What stands in for a host, or undefined for every host of the public internet. */
export function findTestHost(hosts: TestHosts, hostname: string): TestHost | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return hosts.find(({ pattern }) =>
    pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern,
  )
}
