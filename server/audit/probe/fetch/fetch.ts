import type { LookupFunction, Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import type { Signer } from '../../../signatures/signer.ts'
import { type Resolve, type ResolvedAddress, resolveByDns, resolvePublic } from './address.ts'
import {
  connectFailure,
  connectTimeout,
  dnsTimeout,
  headersTimeout,
  isRefused,
  testHostNotReached,
} from './failure.ts'
import { createFairClock, type FairClock, withinFair } from './fair-clock.ts'
import type { Ask, Sent } from './follow.ts'
import { type Pass, withPass } from './pass.ts'
import { BODY_CAPS, type FetchRequest } from './request.ts'
import {
  DEFAULT_LIMITS,
  type FetchLimits,
  type FetchSession,
  openSession,
  type SigningState,
} from './session.ts'
import { findTestHost, type TestHosts } from './test-hosts.ts'

/** The agent of development: only the reference store can serve its profile. */
export const DEVELOPMENT_AGENT = 'https://agent.example'

/** What a fetcher is made of; all but the User-Agent has a default. */
export interface FetcherOptions {
  userAgent: string
  /** The origin below which stores find our profile as an agent of official UCP. */
  agentBase?: string
  /** Signs what goes out under our own User-Agent; without one nothing is signed. */
  signer?: Signer | null | undefined
  testHosts?: TestHosts
  /** Asks the name servers unless given. */
  resolve?: Resolve
  limits?: Partial<FetchLimits>
  /** Creates the function that connects to a checked address. Tests replace it. */
  connector?: typeof buildConnector
  /** Milliseconds since any moment, by which answers are timed: a fair clock's unless given. */
  clock?: () => number
}

export interface Fetcher {
  /**
   * `deadlineMs` counts from now; 30 s unless given. `more` requests are added to those of a
   * session. It is closed when `signal` aborts. Connections are never shared by sessions. `onSend`
   * is called for each request, and what it returns is called when that is over. `pass` is what
   * the owner of a site gave for it.
   */
  open(options?: {
    deadlineMs?: number
    more?: number
    signal?: AbortSignal | undefined
    onSend?: (url: string) => () => void
    pass?: Pass | undefined
  }): FetchSession
  close(): Promise<void>
}

/**
 * The only way out to the network. It reaches nothing but ports 80 and 443 of public hosts, even if
 * a URL, a DNS answer or a redirect says otherwise, and limits time, bytes and memory per response.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const testHosts = options.testHosts ?? []
  const sessions = new Set<FetchSession>()
  return {
    open({ deadlineMs, more = 0, signal, onSend, pass } = {}) {
      const fair = createFairClock()
      const line = openLine(options, limits, fair)
      const isOwners = pass !== undefined && 'signature-input' in pass.headers
      const signing: SigningState = { signer: options.signer ?? null, isOwners }
      const session = openSession({
        limits: { ...limits, perAudit: limits.perAudit + more },
        testHosts,
        deadlineMs: deadlineMs ?? limits.auditMs,
        agentBase: options.agentBase ?? DEVELOPMENT_AGENT,
        clock: options.clock ?? fair.now,
        fair,
        onSend,
        signing,
        askWith: (signal) =>
          asker(line, { ownName: options.userAgent, testHosts, signing, signal, pass }),
        onClose: async () => {
          sessions.delete(session)
          signal?.removeEventListener('abort', session.close)
          fair.stop()
          await line.agent.destroy()
        },
      })
      sessions.add(session)
      if (signal?.aborted) void session.close()
      else signal?.addEventListener('abort', session.close)
      return session
    },
    async close() {
      await Promise.all([...sessions].map((session) => session.close()))
    },
  }
}

/** Makes one request, in a session of its own. */
export function fetchOnce(
  fetcher: Pick<Fetcher, 'open'>,
  request: FetchRequest,
  signal?: AbortSignal,
): Promise<Fetched> {
  const session = fetcher.open({ signal })
  return session.request(request).finally(session.close)
}

/**
 * Bytes of a body that are held while it is decoded. Where undici has to wait for us, it takes a
 * server that closes without saying so for one that breaks off, although all has come
 * (client-h1.js, `onHttpSocketEnd`): so all of a page is held, as it is sent.
 */
const LEAST_HELD = 64 * 1024
const MOST_HELD = BODY_CAPS.catalog

/** Sends one request and returns its answer, a redirect included, with the body unread. */
function asker(
  line: Line,
  {
    ownName,
    testHosts,
    signing,
    signal,
    pass,
  }: {
    ownName: string
    testHosts: TestHosts
    signing: SigningState
    signal: AbortSignal
    pass: Pass | undefined
  },
): Ask {
  const { agent } = line
  return async (url, asked) => {
    const sent = { ...asked, headers: withPass(pass, url, asked) }
    const { method, headers, userAgent = ownName, body, maxBytes } = sent
    signal.throwIfAborted()
    const signed = await signatureOf(url, sent, signing)
    signal.throwIfAborted()
    const proxied = findTestHost(testHosts, url.hostname)?.origin
      ? { 'x-forwarded-proto': url.protocol.slice(0, -1) }
      : {}
    const requested = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, ...signed, 'user-agent': userAgent, ...proxied },
      body: body ?? null,
      signal,
      highWaterMark: Math.max(LEAST_HELD, Math.min(maxBytes, MOST_HELD)),
    })
    const reply = await line.headersOf(requested)
    return { status: reply.statusCode, headers: joinHeaders(reply.headers), body: reply.body }
  }
}

/**
 * The headers that sign one request. A redirect's target gets a signature of its own, which holds
 * for its host alone. What is asked in the name of others is not signed, nor what somebody else has
 * signed already, nor what anyone on the way could read.
 */
async function signatureOf(
  url: URL,
  { method, headers, userAgent, unsigned, body = '' }: Sent,
  { signer }: SigningState,
): Promise<Record<string, string>> {
  const isOurs = userAgent === undefined && headers['signature-input'] === undefined
  if (signer === null || !isOurs || unsigned || url.protocol !== 'https:') return {}
  const message = { method, headers: new Headers(headers), body: Buffer.from(body) }
  return signer.sign({ ...message, url: url.origin + url.pathname + url.search })
}

/** Headers of one name as one text (RFC 9110, 5.3). */
function joinHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

/** The connections of a session. */
interface Line {
  agent: Agent
  /** The answer, if its headers come in time; the time in which we connect does not count. */
  headersOf<T>(asked: Promise<T>): Promise<T>
}

/** undici measures by the clock on the wall; a session by its own. */
const NEVER_MS = 0

/** Resolves, checks and connects in one step, so that the address cannot change in between. */
function openLine(options: FetcherOptions, limits: FetchLimits, fair: FairClock): Line {
  let connectedAt = 0
  const { connector = buildConnector, resolve = resolveByDns, testHosts = [] } = options

  const resolved = (host: string) =>
    withinFair(fair, limits.dnsMs, resolvePublic(host, resolve), () => dnsTimeout(limits.dnsMs))

  const dial = async (target: buildConnector.Options) => {
    const origin = URL.parse(findTestHost(testHosts, target.hostname)?.origin ?? '')
    const pinned = origin ? {} : pin(await resolved(target.hostname))
    const connect = connector({
      ...pinned,
      timeout: NEVER_MS,
      allowH2: false,
      // A resumed TLS session shows no certificate (RFC 8446, 2.2); every connection must show one.
      maxCachedSessions: 0,
    })
    const connecting = new Promise<Socket>((resolve, reject) => {
      connect(origin ? { ...target, ...toLoopback(origin) } : target, (error, socket) => {
        if (error === null) resolve(socket)
        else reject(origin && isRefused(error) ? testHostNotReached(origin.origin) : error)
      })
    })
    return withinFair(fair, limits.connectMs, connecting, connectTimeout).finally(() => {
      connectedAt = fair.waited()
    })
  }

  const agent = new Agent({
    connect: (target, callback) => {
      dial(target).then(
        (socket) => callback(null, socket),
        (error) => callback(connectFailure(error), null),
      )
    },
    connections: limits.perHost,
    headersTimeout: NEVER_MS,
    // The request's own deadline covers the body: undici's would be time between two bytes.
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  return {
    agent,
    headersOf: (asked) =>
      new Promise((resolve, reject) => {
        const since = () => Math.max(began, connectedAt)
        const began = fair.waited()
        const check = () => {
          const left = since() + limits.headersMs - fair.waited()
          if (left > 0) cancel = fair.after(left, check)
          else reject(headersTimeout())
        }
        let cancel = fair.after(limits.headersMs, check)
        asked.then(resolve, reject).finally(() => cancel())
      }),
  }
}

/**
 * Lets the connector dial the addresses that were checked: a second look-up could give others (DNS
 * rebinding). The certificate is still checked against the name.
 */
function pin(addresses: ResolvedAddress[]) {
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
  return { lookup, rejectUnauthorized: true }
}

/** Where a test host is dialled; the Host header and the URL keep the name. */
function toLoopback({ hostname, port }: URL) {
  return { protocol: 'http:', hostname: hostname.replace(/^\[|\]$/g, ''), port: port || '80' }
}
