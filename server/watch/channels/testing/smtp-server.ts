import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll } from 'vitest'

// A key and a certificate of `localhost` that is its own authority, for a century: openssl req
// -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -addext
// subjectAltName=DNS:localhost
const PEM = readFileSync(new URL('./mail-server.pem', import.meta.url), 'utf8')

/** What a client must trust to reach the server of `startSmtp`. */
export const MAIL_TLS = { ca: PEM }

/** A mail as received: its envelope, its bytes, and as a mail program reads it. */
interface ReceivedMail {
  from: string
  to: string[]
  user: string | null
  isEncrypted: boolean
  raw: string
  mail: ParsedMail
}

const closing: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** A mail server on loopback; users sign in with `aisle` and `secret`. */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    key: PEM,
    cert: PEM,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === 'aisle' && password === 'secret'
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const bytes = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user ?? null,
          isEncrypted: session.secure,
          raw: bytes.toString('latin1'),
          mail: await simpleParser(bytes),
        })
        done()
      })
    },
    ...options,
  })
  // A client that hangs up or does not trust the certificate must not stop the server.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closing.push(() => new Promise<void>((done) => server.close(done)))
  const { port } = server.server.address() as AddressInfo
  return { received, port, server }
}
