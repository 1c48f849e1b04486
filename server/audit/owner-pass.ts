import { secretForms, withoutForms } from '../../shared/walk/masking/masked-text.ts'
import { type Withhold, withholder } from '../../shared/walk/masking/masking.ts'
import { type AccessKind, endedText, type SeenWith } from '../../shared/web/site-access.ts'
import { coveredBy } from '../access/covered-domains.ts'
import type { OwnerAccess } from '../access/site-access.ts'
import { openPreviewDoor } from './preview-door.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import type { Pass } from './probe/fetch/pass.ts'

/** What an owner gave, in use. */
export interface OwnerPass {
  /** The same way out, with what the owner gave at the owner's own hosts. */
  fetcher: Fetcher
  seen: SeenWith
  /** What must not be in anything that is kept or shown. */
  secrets: string[]
  withhold: Withhold
}

/** Time to enter a preview password, with what it takes to see whether it opened the store. */
const DOOR_MS = 15_000

// Unspecified: a header's value counts as a secret from eight characters on: shorter ones, such as
// "preview", are words of ordinary pages, and masking them would hide what a gap says.
const SHORTEST = 8

/** Names whose values are no secret: who signs is public. */
const IS_PUBLIC = /^signature-agent$/i

const basicOf = ({ username, password }: { username: string; password: string }): string =>
  Buffer.from(`${username}:${password}`).toString('base64')

/**
 * The secret texts of what an owner gave. One that is part of the domain is left out: it cannot be
 * told from the name.
 */
export function secretsOfAccess({ domain, given }: OwnerAccess): string[] {
  const { headers = {}, preview_password, basic_auth } = given ?? {}
  const values = Object.entries(headers).flatMap(([name, value]) =>
    IS_PUBLIC.test(name) || value.length < SHORTEST ? [] : [value, ...signaturesIn(value)],
  )
  const passwords = [
    preview_password,
    ...(basic_auth === undefined ? [] : [basic_auth.password, basicOf(basic_auth)]),
  ]
  return [...values, ...passwords.filter((each) => each !== undefined)].filter(
    (secret) => !domain.includes(secret.toLowerCase()),
  )
}

/** The bytes of a signature and its nonce, which are secret without their labels too. */
const signaturesIn = (value: string): string[] =>
  [...value.matchAll(/:([A-Za-z\d+/]{20,}={0,2}):|;nonce="([^"\\]{8,})"/g)].flatMap(
    ([, bytes, nonce]) => bytes ?? nonce ?? [],
  )

/**
 * Makes what an owner gave ready to be sent: to the domain and its `www.` sibling where that is the
 * owner's too, over https. Headers that have ended are left out. A preview password is entered now.
 */
export async function openPass(
  plain: Fetcher,
  access: OwnerAccess,
  now: Date,
  signal?: AbortSignal,
): Promise<OwnerPass> {
  const { domain, given, kinds, endsAt } = access
  const hosts = coveredBy([domain])
  const secrets = secretsOfAccess(access)
  const not_sent: SeenWith['not_sent'] = []
  const sent: AccessKind[] = []
  const headers: Record<string, string> = {}
  const door: Record<string, string> = {}
  if (given === null) {
    const why = 'this service cannot read what was kept any more; give it again'
    not_sent.push(...kinds.map((kind) => ({ kind, why })))
  }
  const { headers: named = {}, basic_auth, preview_password } = given ?? {}
  const names = Object.keys(named)
  if (names.length > 0 && endsAt !== null && endsAt <= now) {
    not_sent.push({ kind: 'headers', why: endedText(endsAt) })
  } else if (names.length > 0) {
    sent.push('headers')
    for (const name of names) headers[name.toLowerCase()] = named[name] ?? ''
  }
  if (basic_auth !== undefined) {
    sent.push('basic_auth')
    door.authorization = `Basic ${basicOf(basic_auth)}`
  }
  const passWith = (texts: readonly string[]): Pass => {
    const forms = secretForms(texts.filter(({ length }) => length >= SHORTEST))
    return {
      hosts,
      headers,
      door,
      isRepeatedIn: (text) => withoutForms(text, forms) !== text,
    }
  }
  const opening = passWith(secrets)
  const open = (pass: Pass): Fetcher => ({
    ...plain,
    open: (options = {}) => plain.open({ ...options, pass }),
  })
  if (preview_password !== undefined) {
    const session = open(opening).open({ deadlineMs: DOOR_MS, signal })
    const opened = await openPreviewDoor(session, {
      domain,
      password: preview_password,
      hosts,
    }).finally(session.close)
    if ('why' in opened) not_sent.push({ kind: 'preview_password', why: opened.why })
    else {
      sent.push('preview_password')
      door.cookie = opened.cookie
      secrets.push(...cookieValues(opened.cookie))
    }
  }
  return {
    fetcher: open(passWith(secrets)),
    seen: { sent, headers: sent.includes('headers') ? names : [], not_sent },
    secrets,
    withhold: withholder(secrets),
  }
}

const cookieValues = (cookie: string): string[] =>
  cookie.split('; ').flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1)
    return value.length < SHORTEST ? [] : [value]
  })
