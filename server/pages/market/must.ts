import { type GapId, isGap } from '../../../shared/audit/words.ts'
import { EXPECTATIONS, type ExpectationId } from '../../../shared/walk/expectations.ts'

/** One thing that a specification demands of a store, in our words, and what covers it. */
export interface Must {
  /** Such as `ucp_checkout_1`. */
  id: string
  /** The section of the specification. */
  where: string
  must: string
  /** The versions whose text has it, such as `UCP 2026-04-08`. */
  versions: readonly string[]
  /** The rules of an audit and the expectations of a walk; none: `reason` says why. */
  rules: readonly GapId[]
  steps: readonly ExpectationId[]
  reason: string | null
}

/** What one document of a specification demands. */
export interface MustDocument {
  /** Its subject, as a heading. */
  part: string
  /** Where it stands, by version. */
  pages: readonly { version: string; url: string }[]
  musts: readonly Must[]
}

/** Why neither an audit nor a walk judges some demands. */
const REASONS = {
  A2A: 'A walk does not speak A2A.',
  AFFILIATE: 'A walk names no affiliate.',
  ATTACK: 'Trying it out would be an attack on the store, or on what is another’s.',
  BYTES: 'A walk repeats a request byte for byte alone.',
  CALLERS: 'It needs two callers of one store.',
  CARD: 'A walk has no card numbers.',
  CARTS: 'A walk opens one checkout of each cart.',
  CODE: 'It needs a code that is valid in the store.',
  CONFIG: 'A walk pays with test tokens, without the config of a handler.',
  DAY: 'A walk does not wait for a day.',
  EMBED: 'Two windows of a browser say it to each other; a walk embeds no checkout.',
  EXTENSION: 'A walk’s agent does not offer what this is part of, so that the store leaves it out.',
  FEED: 'A feed of ACP is sent to the agent; an audit reads those that are public.',
  FORM: 'Agents pass over what is wrong here, so that it costs no sale.',
  HOST: 'An audit cannot tell whose host it is.',
  INSIDE: 'It happens inside the store: no answer shows it.',
  KEYLESS: 'A walk sends nothing that could be carried out twice.',
  LAW: 'A contract or a law asks for it; no answer shows whether it is kept.',
  LINKING: 'Not judged yet: an audit does not read the authorization server’s metadata.',
  LINKS: 'A walk follows a plain link with items and quantities alone.',
  LOGIN: 'A walk has no account of a buyer at the store.',
  MAIL: 'The mail goes to the buyer.',
  MANDATE: 'It needs a mandate that a person has signed.',
  MEASURE: 'It needs goods that are sold by measure; a walk buys by the piece.',
  OTHERWISE: 'A store need not sign for Web Bot Auth.',
  OWN: 'It binds the author of an extension or a handler.',
  PERMALINK: 'A walk follows the link as a browser does, by any redirect.',
  PROFILES: 'It needs an agent with a broken profile; that of a walk is sound.',
  PSP: 'It binds the service that issues or opens payment tokens, which is seldom the store.',
  RARE: 'It needs a case that a walk cannot bring about in a store it does not know.',
  SIGNED: 'It needs a false signature; that of a walk is right or left out.',
  SOUND: 'It needs an agent that sends unknown or wrong values; a walk sends right ones.',
  TEXT: 'It is about the meaning of a text, which a program cannot judge.',
  TIME: 'It is about versions over time.',
  TLS: 'Requests go over https, and take TLS 1.2 as well.',
  TOKEN: 'It keeps strangers out, which no audit asks a store to do.',
  TOLERANT: 'A walk takes either, as agents do, so that it costs no sale.',
  TRACE: 'A walk cancels without a trace.',
  VALID: 'Audits and walks send here only what a store has to take.',
  WEBHOOKS: 'Webhooks go to the platform that bought. An audit receives none.',
} as const

const isStep = (name: string): name is ExpectationId => EXPECTATIONS.some(({ id }) => id === name)
const isReason = (name: string): name is keyof typeof REASONS => Object.hasOwn(REASONS, name)

/**
 * Reads a table with a demand a line: `section | demand | covers`, with `+` or `-` in front for the
 * newest or the older version alone. Covers are rules, expectations, or one of the reasons. Throws
 * for any other line: a test reads all tables.
 */
export function mustDocument(
  protocol: 'UCP' | 'ACP',
  part: string,
  lines: string,
  { older, newest }: Record<'older' | 'newest', { version: string; url: string | null }>,
): MustDocument {
  const nameOf = ({ version }: typeof older) => `${protocol} ${version}`
  const versions = {
    '': [nameOf(older), nameOf(newest)],
    '+': [nameOf(newest)],
    '-': [nameOf(older)],
  }
  const name = `${protocol}_${part}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return {
    part,
    pages: [older, newest].flatMap((each) =>
      each.url === null ? [] : [{ version: nameOf(each), url: each.url }],
    ),
    musts: lines
      .trim()
      .split('\n')
      .map((line, at) => {
        const [, mark = '', where = '', must = '', covers = ''] =
          /^(?:([+-]) )?(.+?) \| (.+?) \| (.+)$/.exec(line) ?? []
        const names = covers.split(' ')
        const [reason = ''] = names
        const rules = names.filter(isGap)
        const steps = names.filter(isStep)
        const known = isReason(reason) ? 1 : rules.length + steps.length
        if (must === '' || known !== names.length) throw new Error(`No demand: ${line}`)
        return {
          id: `${name}_${at + 1}`,
          where,
          must,
          versions: versions[mark === '+' || mark === '-' ? mark : ''],
          rules,
          steps,
          reason: isReason(reason) ? REASONS[reason] : null,
        }
      }),
  }
}
