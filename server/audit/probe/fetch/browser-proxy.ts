import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import {
  checkUrl,
  type Resolve,
  type ResolvedAddress,
  resolveByDns,
  resolvePublic,
} from './address.ts'
import { Failure } from './failure.ts'
import { findTestHost, type TestHosts } from './test-hosts.ts'

export interface BrowserProxyLimits {
  /** Connections and plain requests of the whole visit. */
  connections: number
  /** Bytes of all answers together, as they are sent. */
  bytes: number
  /** Milliseconds without a byte. */
  idleMs: number
}

const PROXY_LIMITS: BrowserProxyLimits = {
  connections: 1_000,
  bytes: 96 * 1024 * 1024,
  idleMs: 30_000,
}

export interface BrowserProxyOptions {
  testHosts?: TestHosts
  /** Asks the name servers unless given. */
  resolve?: Resolve
  limits?: Partial<BrowserProxyLimits>
  /** Connects to a checked address. Tests replace it. */
  dial?: (target: { host: string; port: number }) => Socket
}

interface BrowserProxy {
  /** On loopback. */
  port: number
  /** Of the key of test hosts, for `--ignore-certificate-errors-spki-list`. */
  keyHash: string
  /** What was used and refused so far; `over` names the limit that was reached. */
  used(): { connections: number; bytes: number; refused: string[]; over: string | null }
  close(): Promise<void>
}

/** Refused addresses that are remembered. */
const MOST_REFUSED = 50

/**
 * A proxy on loopback for one browser: its only way to the network. It goes where the guarded fetch
 * goes, by the same checks of address, name, port and DNS answer, and dials what was checked. Test
 * hosts lead to their loopback origin, over TLS under a key that only this browser is told.
 */
export async function openBrowserProxy(options: BrowserProxyOptions = {}): Promise<BrowserProxy> {
  const { testHosts = [], resolve = resolveByDns, dial = connect } = options
  const limits = { ...PROXY_LIMITS, ...options.limits }
  const open = new Set<Duplex>()
  const used = { connections: 0, bytes: 0, refused: [] as string[], over: null as string | null }
  const identity = selfSigned()
  const names = new WeakMap<object, string>()

  const end = (over: string) => {
    used.over ??= over
    for (const socket of open) socket.destroy()
  }
  const keep = <S extends Duplex>(socket: S): S => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  /** Counts what an answer brings. */
  const count = (bytes: number) => {
    used.bytes += bytes
    if (used.bytes > limits.bytes) end('bytes')
  }
  const begin = () => {
    used.connections += 1
    if (used.connections > limits.connections) end('connections')
    if (used.over !== null) throw new Failure('unreachable', `the visit used up its ${used.over}`)
  }
  const refuse = (address: string) => {
    if (used.refused.length < MOST_REFUSED) used.refused.push(address.slice(0, 200))
  }

  /** The checked addresses of a public host. Throws a Failure. */
  const addressesOf = async (url: URL): Promise<ResolvedAddress[]> => {
    checkUrl(url.href, testHosts)
    if (OF_THE_BROWSER.test(url.hostname)) throw new Failure('unreachable', 'no page asked for it')
    return resolvePublic(url.hostname, resolve)
  }
  const dialed = async (url: URL, port: number): Promise<Socket> => {
    const [first] = await addressesOf(url)
    const socket = keep(dial({ host: first?.address ?? '', port }))
    socket.setTimeout(limits.idleMs, () => socket.destroy())
    return socket
  }

  /** Passes a request on to a loopback origin, or to the checked address of a public host. */
  const forward = async (asked: IncomingMessage, answer: ServerResponse, url: URL) => {
    try {
      begin()
      const origin = URL.parse(findTestHost(testHosts, url.hostname)?.origin ?? '')
      const connection = origin ? null : await dialed(url, 80)
      const onward = request({
        ...(connection
          ? { createConnection: () => connection }
          : { host: origin?.hostname.replace(/^\[|\]$/g, ''), port: origin?.port || 80 }),
        agent: false,
        timeout: limits.idleMs,
        method: asked.method,
        path: url.pathname + url.search,
        headers: {
          ...withoutHopHeaders(asked.headers),
          host: url.host,
          ...(origin && { 'x-forwarded-proto': url.protocol.slice(0, -1) }),
        },
      })
      onward.on('socket', keep)
      onward.on('timeout', () => onward.destroy())
      onward.on('error', () => answer.destroy())
      answer.on('close', () => onward.destroy())
      onward.on('response', (response) => {
        response.on('data', (bytes: Buffer) => count(bytes.length))
        response.on('error', () => answer.destroy())
        answer.writeHead(response.statusCode ?? 502, withoutHopHeaders(response.headers))
        response.pipe(answer)
      })
      asked.pipe(onward)
    } catch {
      refuse(url.href)
      if (!answer.headersSent) answer.writeHead(502, { connection: 'close' })
      answer.end()
    }
  }

  /** What a browser sends to a test host inside its TLS. */
  const inner = createServer((asked, answer) => {
    const url = URL.parse(asked.url ?? '', `https://${names.get(asked.socket) ?? 'invalid'}`)
    if (url) void forward(asked, answer, url)
    else answer.writeHead(400).end()
  })
  inner.on('upgrade', (_asked, socket: Duplex) => socket.destroy())

  const outer = createServer((asked, answer) => {
    const url = URL.parse(asked.url ?? '')
    if (url?.protocol === 'http:') void forward(asked, answer, url)
    else answer.writeHead(400).end()
  })
  outer.on('connection', keep)
  outer.on('upgrade', (_asked, socket: Duplex) => socket.destroy())
  outer.on('connect', (asked: IncomingMessage, socket: Duplex) => {
    keep(socket)
    tunnel(asked.url ?? '', socket).catch(() => {
      refuse(asked.url ?? '')
      socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n')
    })
  })

  const tunnel = async (target: string, socket: Duplex) => {
    begin()
    const port = Number(/:(\d+)$/.exec(target)?.[1] ?? 443)
    const url = URL.parse(`${port === 80 ? 'http' : 'https'}://${target}`)
    if (!url) throw new Failure('unreachable', 'no address')
    if (findTestHost(testHosts, url.hostname)) {
      socket.write(ESTABLISHED)
      const secure = keep(
        new TLSSocket(socket as Socket, { isServer: true, ...identity.credentials }),
      )
      names.set(secure, url.host)
      inner.emit('connection', secure)
      return
    }
    const onward = await dialed(url, port)
    await new Promise<void>((resolve, reject) => {
      onward
        .once('connect', () => resolve())
        .once('error', reject)
        .once('close', reject)
    })
    socket.write(ESTABLISHED)
    onward.on('data', (bytes: Buffer) => count(bytes.length))
    onward.pipe(socket).pipe(onward)
    socket.on('close', () => onward.destroy())
    onward.on('close', () => socket.destroy())
  }

  await new Promise<void>((resolve, reject) => {
    outer.once('error', reject)
    outer.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (outer.address() as AddressInfo).port,
    keyHash: identity.keyHash,
    used: () => ({ ...used, refused: [...used.refused] }),
    close: () =>
      new Promise((resolve) => {
        outer.close(() => resolve())
        outer.closeAllConnections()
        for (const socket of open) socket.destroy()
      }),
  }
}

/** What a browser asks its maker on its own, where flags do not turn that off. */
const OF_THE_BROWSER =
  /^(?:accounts|clients\d?|optimizationguide-pa|safebrowsing|update|content-autofill)\.(?:google|googleapis)\.com$/

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** Those of one connection (RFC 9110, 7.6.1), and what proxies are told. */
const HOP_HEADERS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])
const withoutHopHeaders = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)))

/**
 * A key made for one visit, and the least certificate that holds it (RFC 5280, 4.1):
 * the browser trusts the key, and ignores the rest of the certificate.
 */
function selfSigned() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const signedBy = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const name = der(0x30, Buffer.alloc(0))
  const years = der(
    0x30,
    ...['200101000000Z', '491231235959Z'].map((at) => der(0x17, Buffer.from(at))),
  )
  const [version, serial] = [der(0xa0, der(0x02, Buffer.from([2]))), der(0x02, Buffer.from([1]))]
  const content = der(0x30, version, serial, signedBy, name, years, name, spki)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const cert = der(0x30, content, signedBy, signature).toString('base64')
  return {
    credentials: {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
    },
    keyHash: hash('sha256', spki, 'base64'),
  }
}

/** One value in DER: its tag, its length, its bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
