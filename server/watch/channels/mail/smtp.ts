import type { ConnectionOptions } from 'node:tls'
import { createTransport } from 'nodemailer'
import { visibleText } from '../../../../shared/web/text/invisible.ts'
import type { Attempt } from '../../../jobs/schedule.ts'
import { asError } from '../../../process/as-error.ts'
import { shortened } from '../notice-text.ts'
import type { Mail } from './mail.tsx'

/** The mail server. */
export interface MailSettings {
  /** `smtps://user:password@host:465`, or `smtp://` for a server that may offer STARTTLS. */
  smtpUrl: string
  from: { name: string; address: string }
}

export interface Mailer {
  /**
   * Never throws. An aborted mail counts as unsent, one that takes over 25 seconds as unanswered.
   */
  send: (mail: Mail, signal: AbortSignal) => Promise<Attempt>
}

interface MailerOptions {
  /** Why the operator's own server refused a mail, for the log: the receiver does not see it. */
  onOwnFault: (error: Error) => void
  /** Tests trust their own certificate. */
  tls?: ConnectionOptions
}

const TOTAL_MS = 25_000

/** What anyone but the operator sees. */
export const OWN_FAULT =
  'The mail server of this service did not take it. Its operator can see why in the log.'

/**
 * Sends mail through the operator's own server. Its address is not checked like a receiver's: it
 * may be in the operator's own network, and only the operator sets it.
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
    // A mail never reads a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send({ to, ...mail }, signal) {
      // One connection per mail, so that ending it affects no other mail.
      const transport = createTransport(settings)
      const ended = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)])
      try {
        const { response } = await transport.sendMail({
          ...mail,
          from,
          to: { name: '', address: to },
          // Closes the connection too: a mail that counts as unsent must not arrive later.
          signal: ended,
        })
        return { is: 'delivered', status: statusOf(response) ?? 250 }
      } catch (error) {
        return signal.aborted ? { is: 'unsent' } : attemptOfError(error, onOwnFault)
      }
    },
  }
}

/** The reply code at the start of the server's answer. */
const statusOf = (response: string | undefined): number | null =>
  Number(/^\d{3}/.exec(response ?? '')?.[0]) || null

interface SmtpError extends Error {
  responseCode?: number
  response?: string
  command?: string
}

/**
 * Whether the address or the mail itself was refused. Only then does the receiver see the server's
 * own words; earlier steps are between us and the operator's server.
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
