/** A script element that a page loads from an address. `url` may be relative to the page. */
interface ExternalScript {
  url: string
  nonce: string | null
  integrity: string | null
}

/**
 * The directive that keeps a page from loading a script in its HTML, as written, or null if every
 * policy allows it. `policies` is a Content-Security-Policy header, commas between policies
 * included. Follows https://www.w3.org/TR/CSP3/.
 */
export function blockingDirective(
  policies: string,
  script: ExternalScript,
  pageUrl: string,
): string | null {
  const [url, page] = [URL.parse(script.url, pageUrl), URL.parse(pageUrl)]
  if (url === null || page === null) return null
  return firstBlocking(policies, ['script-src-elem', 'script-src'], (sources) =>
    allows(sources, script, url, page),
  )
}

/**
 * The same for an address that a script of the page sends to with `fetch`: nonces, hashes and
 * 'strict-dynamic' do not count there.
 */
export function blockingConnection(policies: string, url: string, pageUrl: string): string | null {
  const [target, page] = [URL.parse(url, pageUrl), URL.parse(pageUrl)]
  if (target === null || page === null) return null
  return firstBlocking(policies, ['connect-src'], (sources) =>
    sources.some((source) => matches(source, target, page)),
  )
}

/** Every policy must allow it: a second header can only restrict the first. */
function firstBlocking(
  policies: string,
  names: readonly string[],
  isAllowed: (sources: readonly string[]) => boolean,
): string | null {
  for (const policy of policies.split(',')) {
    const directive = findDirective(policy, names)
    if (directive !== null && !isAllowed(directive.sources)) return directive.text
  }
  return null
}

/** A directive's text is kept for findings: a merchant looks for it in the configuration. */
interface Directive {
  text: string
  sources: string[]
}

/**
 * The first of these directives that a policy has, the most specific one first, else `default-src`
 * (CSP3, "Get fetch directive fallback list"); of a name that is repeated, only the first counts.
 * Null: the policy says nothing about such requests.
 */
function findDirective(policy: string, names: readonly string[]): Directive | null {
  const directives = new Map<string, Directive>()
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/)
    const key = name.toLowerCase()
    if (!directives.has(key)) directives.set(key, { text: part.trim(), sources })
  }
  const name = [...names, 'default-src'].find((each) => directives.has(each))
  return (name !== undefined && directives.get(name)) || null
}

/** Whether one directive allows the script: by its nonce, its hashes, or its address. */
function allows(
  sources: readonly string[],
  { nonce, integrity }: ExternalScript,
  url: URL,
  page: URL,
): boolean {
  if (nonce && sources.includes(`'nonce-${nonce}'`)) return true
  const hashes = (integrity ?? '').split(/\s+/).filter((hash) => /^sha(256|384|512)-/.test(hash))
  if (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`))) return true
  // 'strict-dynamic': only a nonce or a hash allows a script in the HTML, host sources are ignored
  // (CSP3, "Usage of 'strict-dynamic'").
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false
  return sources.some((source) => matches(source, url, page))
}

/**
 * The grammar of CSP3, "Source Lists": host sources with optional scheme, port and path, and scheme
 * sources.
 */
const HOST_SOURCE =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d+|\*))?(\/.*)?$/i
const SCHEME_SOURCE = /^([a-z][a-z0-9+.-]*):$/i

/**
 * Whether one source expression allows the address (CSP3, "Does url match expression in origin").
 */
function matches(source: string, url: URL, page: URL): boolean {
  const scheme = schemeOf(url)
  if (source === '*') return /^(https?|wss?)$/.test(scheme) || scheme === schemeOf(page)
  if (source.toLowerCase() === "'self'") return isSelf(url, page)
  const [, schemeSource] = SCHEME_SOURCE.exec(source) ?? []
  if (schemeSource !== undefined) return schemeMatches(schemeSource.toLowerCase(), scheme)
  const [, stated, host, port, path] = HOST_SOURCE.exec(source) ?? []
  return (
    host !== undefined &&
    schemeMatches(stated?.toLowerCase() ?? schemeOf(page), scheme) &&
    hostMatches(host.toLowerCase(), url.hostname) &&
    portMatches(port, url) &&
    pathMatches(path, url.pathname)
  )
}

const schemeOf = (url: URL): string => url.protocol.slice(0, -1)

/** `http:` in a policy also allows https, but not the reverse (CSP3, "scheme-part match"). */
const schemeMatches = (stated: string, scheme: string): boolean =>
  stated === scheme || (stated === 'http' && scheme === 'https')

/**
 * `'self'` also allows the same host over https, when the page itself came over http on default
 * ports.
 */
function isSelf(url: URL, page: URL): boolean {
  if (url.origin === page.origin) return true
  const isUpgrade = schemeMatches(schemeOf(page), schemeOf(url))
  return url.hostname === page.hostname && isUpgrade && url.port === '' && page.port === ''
}

/**
 * CSP3, "host-part match": a wildcard covers subdomains at any depth, but not the domain itself.
 */
const hostMatches = (pattern: string, host: string): boolean =>
  pattern === '*' || (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern)

/** https://url.spec.whatwg.org/#default-port */
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http:', '80'],
  ['https:', '443'],
])

/** CSP3, "port-part match": port 80 in a policy also allows 443, since http may be upgraded. */
function portMatches(stated: string | undefined, url: URL): boolean {
  if (stated === undefined) return url.port === ''
  const port = url.port === '' ? DEFAULT_PORTS.get(url.protocol) : url.port
  return stated === '*' || stated === port || (stated === '80' && port === '443')
}

/** A path that ends in a slash allows everything below it (CSP3, "path-part match"). */
function pathMatches(stated: string | undefined, path: string): boolean {
  if (stated === undefined || stated === '/') return true
  const [wanted, found] = [decodePath(stated), decodePath(path)]
  return wanted.endsWith('/') ? found.startsWith(wanted) : found === wanted
}

/** A path that cannot be decoded is compared as written. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
