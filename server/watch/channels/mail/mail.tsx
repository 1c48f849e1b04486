import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isOfMany } from '../../../../shared/watch/digest.ts'
import type { NoticeItem, WatchNotice } from '../../../../shared/watch/notice.ts'
import { itemText, noticeText } from '../notice-text.ts'

/** A mail, ready for the mail server. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The message id: the same in every try, so that a mailbox can detect a duplicate. */
  messageId: string
  headers: Record<string, string>
}

/** What a notice adds to a mail to one address. */
interface MailPlace {
  to: string
  /** Unsubscribes the address, by one click (RFC 8058) or on its page. */
  unsubscribeUrl: string
  /** The host of our own address, for message ids. */
  host: string
  channelId: string
}

/** A notice as a mail: plain text, and HTML in which every text is escaped. */
export function noticeMail(
  notice: WatchNotice,
  { to, unsubscribeUrl, host, channelId }: MailPlace,
): Mail {
  const { title, about, lines, facts, sections, url } = noticeText(notice)
  const of = isOfMany(notice) ? 'these domains' : notice.domain
  const why = `You get this mail because ${to} was entered for the alerts of ${of}, and you agreed.`
  return {
    to,
    subject: withoutEncodedWords(title),
    text: textOf([
      title,
      about,
      ...lines,
      facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
      ...sections.map((section) => [section.title, ...section.items.map(listed)].join('\n')),
      `See what happened and what to do:\n${url}`,
      `-- \n${why}\nUnsubscribe: ${unsubscribeUrl}`,
    ]),
    html: htmlOf(
      title,
      <>
        <p style={SMALL}>{about}</p>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {facts.length > 0 && (
          <table cellPadding="4" style="border-collapse:collapse">
            {facts.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row" style="text-align:left;vertical-align:top">
                  {label}
                </th>
                <td style="vertical-align:top">{value}</td>
              </tr>
            ))}
          </table>
        )}
        {sections.map((section) => (
          <>
            <h2 style="font-size:16px;margin-bottom:0">{section.title}</h2>
            <ul style="margin-top:4px;padding-left:1.2em">
              {section.items.map(({ label, text, url }) => (
                <li key={label}>
                  {url === null ? label : <a href={url}>{label}</a>}
                  {text !== '' && `: ${text}`}
                </li>
              ))}
            </ul>
          </>
        ))}
        <p>
          <a href={url}>See what happened and what to do</a>
        </p>
        <hr />
        <p style={SMALL}>
          {why} <a href={unsubscribeUrl}>Unsubscribe</a>
        </p>
      </>,
    ),
    messageId: `<${notice.id}.${channelId}@${host}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // Stops automatic replies (RFC 3834, 5).
      'Auto-Submitted': 'auto-generated',
    },
  }
}

/**
 * Asks the holder of an address whether it wants the alerts of a domain. No other mail is sent
 * before.
 */
export function confirmationMail({
  to,
  domain,
  confirmUrl,
  host,
  channelId,
  days,
}: Pick<MailPlace, 'to' | 'host' | 'channelId'> & {
  domain: string
  confirmUrl: string
  /** How long the link is valid. */
  days: number
}): Mail {
  const title = `Do you want alerts about ${domain}?`
  const asked = `Someone who watches ${domain} entered ${to} for its alerts: mails that say when AI agents can no longer find or buy what it sells.`
  const otherwise = `If you do not want them, do nothing: you get no other mail. The link is valid for ${days} days.`
  return {
    to,
    subject: title,
    text: textOf([
      title,
      asked,
      `If you want them, open this page and press the button:\n${confirmUrl}`,
      otherwise,
    ]),
    html: htmlOf(
      title,
      <>
        <p>{asked}</p>
        <p>
          <a href={confirmUrl}>If you want them, open this page and press the button</a>
        </p>
        <p style={SMALL}>{otherwise}</p>
      </>,
    ),
    messageId: `<confirm.${channelId}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** An ASCII subject goes out unencoded, where `=?utf-8?Q?=0A?=` would be decoded (RFC 2047, 2). */
const withoutEncodedWords = (text: string) => text.replaceAll('=?', '= ?')

/** Paler in light and dark mail programs. */
const SMALL = 'opacity:.75;font-size:13px'

const listed = (item: NoticeItem): string =>
  [`- ${itemText(item)}`, ...(item.url === null ? [] : [`  ${item.url}`])].join('\n')

const textOf = (parts: readonly string[]): string =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`

const htmlOf = (title: string, content: ComponentChildren): string =>
  `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
      </head>
      <body style="font-family:sans-serif;font-size:15px;line-height:1.5;max-width:40em;overflow-wrap:anywhere">
        <h1 style="font-size:20px;line-height:1.3">{title}</h1>
        {content}
      </body>
    </html>,
  )}`
