import * as z from 'zod'
import { dayOf } from './moment.ts'

/** What the owner of a site can give, so that a closed or a stricter door opens. */
const ACCESS_KINDS = ['headers', 'preview_password', 'basic_auth'] as const
export type AccessKind = (typeof ACCESS_KINDS)[number]

/** Which of it was sent, and why the rest was not: never what it says. */
export const SeenWith = z.object({
  sent: z.array(z.enum(ACCESS_KINDS)).describe('What of it was sent'),
  headers: z.array(z.string()).describe('The names of the headers that were sent'),
  not_sent: z
    .array(
      z.object({
        kind: z.enum(ACCESS_KINDS).describe('What was not sent'),
        why: z.string().describe('Why not'),
      }),
    )
    .describe('What was given and not sent, or did not open the store'),
})
export type SeenWith = z.infer<typeof SeenWith>

/** What is given for a domain, as it may be shown. */
export const SiteAccess = z.object({
  domain: z.string().describe('The domain; the same with or without `www.` is one site'),
  kinds: z.array(z.enum(ACCESS_KINDS)).describe('What is given'),
  headers: z.array(z.string()).describe('The names of the headers; their values are never shown'),
  set_at: z.iso.datetime().describe('When it was given'),
  ends_at: z.iso
    .datetime()
    .nullable()
    .describe('When the headers end, by the `expires` of their signature; null without an end'),
  state: z
    .enum(['valid', 'ending', 'ended', 'unreadable'])
    .describe(
      '`ending`: within 14 days. `ended`: the headers are not sent any more. `unreadable`: it was kept with another key of this service, and has to be given again',
    ),
})
export type SiteAccess = z.infer<typeof SiteAccess>

/** How long before its end it is told, in days. */
export const ACCESS_ENDING_DAYS = 14

const NAMES: Record<AccessKind, string> = {
  headers: 'the headers',
  preview_password: 'the preview password',
  basic_auth: 'the user name and password',
}

/** `the headers Signature and Signature-Input`. */
export function accessNames(kinds: readonly AccessKind[], headers: readonly string[]): string {
  const parts = kinds.map((kind) =>
    kind === 'headers'
      ? `${headers.length === 1 ? 'the header' : NAMES.headers} ${listed(headers)}`
      : NAMES[kind],
  )
  return listed(parts)
}

/** What a result that was made with it says, in sentences. */
export function seenWithText({ sent, headers, not_sent }: SeenWith): string {
  const used =
    sent.length === 0
      ? []
      : [
          `Seen with ${accessNames(sent, headers)} that the store's owner gave: others may be shown less, or nothing.`,
        ]
  const unused = not_sent.map(({ kind, why }) => `${capital(NAMES[kind])}: ${why}.`)
  return [...used, ...unused].join(' ')
}

/** Why headers are not sent any more. */
export const endedText = (endsAt: Date): string =>
  `they ended on ${dayOf(endsAt.getTime())} and were not sent`

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
