import type { ConnectionOptions } from 'node:tls'
import { createTransport } from 'nodemailer'
import { visibleText } from '../../../../shared/web/invisible.ts'
import { asError } from '../../../as-error.ts'
import type { Attempt } from '../../../outbox/schedule.ts'
import { shortened } from '../notice-text.ts'
import type { Mail } from './mail.tsx'

/** Where mail goes out. */
export interface MailSettings {
  /** `smtps://user:password@host:465`, or `smtp://` for a server that may offer STARTTLS. */
  smtpUrl: string
  from: { name: string; address: string }
}

export interface Mailer {
  /**
   * Never throws. What `signal` ends counts as unsent, what takes over 25 seconds as not answered.
   */
  send: (mail: Mail, signal: AbortSignal) => Promise<Attempt>
}

interface MailerOptions {
  /** Told why the operator's own server did not take a mail, which the receiver is not. */
  onOwnFault: (error: Error) => void
  /** Tests trust a certificate of their own. */
  tls?: ConnectionOptions
}

const TOTAL_MS = 25_000

/** What others than the operator are told. */
export const OWN_FAULT =
  'The mail server of this service did not take it. Its operator can see why in the log.'

/**
 * Mail by the operator's own server. Its address is not checked as a receiver's is: it may well be
 * in the operator's network, and nobody but the operator names it.
 */
export function createMailer(
  { smtpUrl, from }: MailSettings,
  { onOwnFault, tls }: MailerOptions,
): Mailer {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const hasPassword = url.username !== ''
  const settings = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A password goes nowhere unencrypted.
    requireTLS: !isSecure && hasPassword,
    ...(hasPassword && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    ...(tls && { tls }),
    dnsTimeout: 5000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // What a mail says is never read from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send({ to, ...mail }, signal) {
      // A connection of its own, which can be ended without any other mail being lost.
      const transport = createTransport(settings)
      const ended = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)])
      try {
        const { response } = await transport.sendMail({
          ...mail,
          from,
          to: { name: '', address: to },
          // Ends the connection too: a mail that counts as unsent must not arrive all the same.
          signal: ended,
        })
        return { is: 'delivered', status: statusOf(response) ?? 250 }
      } catch (error) {
        return signal.aborted ? { is: 'unsent' } : attemptOfError(error, onOwnFault)
      }
    },
  }
}

/** The reply code that an answer of the server begins with. */
const statusOf = (response: string | undefined): number | null =>
  Number(/^\d{3}/.exec(response ?? '')?.[0]) || null

interface SmtpError extends Error {
  responseCode?: number
  response?: string
  command?: string
}

/**
 * Whether the address or the mail was refused, which its receiver is told in the words of the
 * server; everything before that is between us and the operator's server.
 */
function attemptOfError(thrown: unknown, onOwnFault: (error: Error) => void): Attempt {
  const error: SmtpError = asError(thrown)
  const { responseCode: status = null, command = '', response } = error
  if (status !== null && /^(RCPT TO|DATA)/.test(command)) {
    const said = shortened(visibleText(response ?? error.message), 200)
    // RFC 5321, 4.2.1: a reply of 5xx is permanent, one of 4xx is not.
    return { is: 'failed', status, error: said, because: status >= 500 ? 'final' : undefined }
  }
  onOwnFault(error)
  return {
    is: 'failed',
    status,
    error: OWN_FAULT,
    because: 'ours',
  }
}
