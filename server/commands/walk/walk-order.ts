import { WALK_DIALECTS, type WalkDialectName } from '../../../shared/walk/dialect.ts'
import {
  type BuyerIntent,
  INTENTS,
  type IntentId,
  type TokenWanted,
  WALK_MODES,
  type WalkMode,
} from '../../../shared/walk/intents.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { WalkRequest } from '../../../shared/walk/walk-request.ts'
import { shopOfAddress } from '../../../shared/web/address/local-shop.ts'
import { readCommaList } from '../../../shared/web/text/comma-list.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import type { WalkOrder } from '../../audit/walk/order.ts'
import { readGivenHeaders } from '../given-headers.ts'
import { CommandError } from '../terminal/command-error.ts'

/** The typed flags; a secret is typed itself, or as the name of the variable that holds it. */
export interface WalkOrderFlags {
  intent?: string
  mode?: string
  dialect?: string
  item?: string
  yesOpenSessions?: boolean
  token?: string
  tokenEnv?: string
  declinedToken?: string
  declinedTokenEnv?: string
  challengedToken?: string
  challengedTokenEnv?: string
  agentKey?: string
  agentKeyEnv?: string
  header?: string[]
}

/**
 * The walk to make, or a `CommandError` that says what to give. Missing values come from the
 * replayed walk, if there is one. `secret` reads the environment.
 */
export function readWalkOrder(
  input: string | undefined,
  flags: WalkOrderFlags,
  again: Transcript | null,
  secret: (name: string) => string | undefined,
): WalkOrder {
  const domain = readDomain(input ?? again?.domain)
  if (again !== null && again.domain !== domain) {
    throw new CommandError(
      printable`That transcript is of ${again.domain}, not of ${domain}. Replay it there.`,
    )
  }
  const mode = readNames('--mode', flags.mode, WALK_MODES)?.[0] ?? again?.mode ?? 'look'
  const tokens = readTokens(flags, secret)
  const agentKey = readSecret('--agent-key', flags.agentKey, flags.agentKeyEnv, secret)
  if (mode === 'look' && Object.keys(tokens).length > 0) {
    throw new CommandError(
      printable`Mode look pays nothing and takes no token. Give --mode sandbox to pay with it.`,
    )
  }
  if (mode === 'sandbox' && tokens.good === undefined) {
    throw new CommandError(
      printable`A sandbox pays: give --token-env with the name of the environment variable that holds a token of your test PSP.`,
    )
  }
  const access = readGivenHeaders(flags.header, domain)
  const asked = readNames('--intent', flags.intent, INTENT_NAMES)
  for (const id of asked ?? []) {
    const problem = problemOf(id, mode, tokens)
    if (problem !== null) throw new CommandError(printable`${id} ${problem}.`)
  }
  const intents =
    asked ??
    (again === null ? INTENT_NAMES : intentsOfWalk(again)).filter(
      (id) => problemOf(id, mode, tokens) === null,
    )
  const dialects = readNames('--dialect', flags.dialect, WALK_DIALECTS) ?? dialectsAgain(again)
  if (mode === 'look' && flags.yesOpenSessions !== true)
    throw new CommandError(askFirst(domain, intents.length))
  const { good, ...others } = tokens
  return {
    domain,
    mode,
    intents,
    ...(good !== undefined && { tokens: { good, ...others } }),
    ...(agentKey !== undefined && { agentKey }),
    ...(access !== null && { access }),
    ...(dialects !== null && { dialects }),
    ...(flags.item !== undefined && { item: readItem(flags.item) }),
  }
}

const INTENT_NAMES: readonly IntentId[] = INTENTS.map(({ id }) => id)

/** Shown before the first request: what will happen in the store, and how to agree. */
const askFirst = (domain: string, purchases: number) =>
  printable`Nothing has been asked of ${domain} yet. A walk opens real checkouts in the store, as an AI agent would: ${counted(purchases, 'purchase')} in each protocol that it speaks. It pays nothing, and cancels each checkout that it opened; until then the store may hold stock for them, and its logs and statistics show them. If this is your store, add --yes-open-sessions.`

function readDomain(input: string | undefined): string {
  if (input === undefined) throw new CommandError(printable`Name a domain, such as shop.example.`)
  const read = shopOfAddress(input)
  if ('problem' in read) throw new CommandError(printable`${read.problem}`)
  return read.domain
}

function readItem(typed: string): string {
  const read = WalkRequest.shape.item.unwrap().safeParse(typed)
  if (read.success) return read.data
  throw new CommandError(printable`--item: ${read.error.issues[0]?.message ?? 'unreadable'}`)
}

/** The names of a comma-separated list; null if it is not given. */
function readNames<Name extends string>(
  flag: string,
  list: string | undefined,
  names: readonly Name[],
): Name[] | null {
  if (list === undefined) return null
  const asked = readCommaList(list).map((part) => {
    const known = names.find((name) => name === part)
    if (known !== undefined) return known
    throw new CommandError(
      printable`${flag} does not know "${part}". It takes ${names.join(', ')}.`,
    )
  })
  if (asked.length > 0) return [...new Set(asked)]
  throw new CommandError(printable`${flag} names nothing. It takes ${names.join(', ')}.`)
}

type Tokens = Partial<Record<TokenWanted, string>>

function readTokens(flags: WalkOrderFlags, secret: (name: string) => string | undefined): Tokens {
  const given: [TokenWanted, string | undefined][] = [
    ['good', readSecret('--token', flags.token, flags.tokenEnv, secret)],
    [
      'declined',
      readSecret('--declined-token', flags.declinedToken, flags.declinedTokenEnv, secret),
    ],
    [
      'challenged',
      readSecret('--challenged-token', flags.challengedToken, flags.challengedTokenEnv, secret),
    ],
  ]
  return Object.fromEntries(given.filter(([, token]) => token !== undefined))
}

// Unspecified: a token or a key has at least four characters, because shorter ones could not be
// masked in a transcript without masking half of it.
const SHORTEST = 4

/** Messages never repeat it. */
function readSecret(
  flag: string,
  typed: string | undefined,
  name: string | undefined,
  secret: (name: string) => string | undefined,
): string | undefined {
  if (typed !== undefined && name !== undefined) {
    throw new CommandError(printable`Give ${flag} or ${flag}-env, not both.`)
  }
  const value = (name === undefined ? typed : secret(name))?.trim()
  if (value && value.length < SHORTEST) {
    throw new CommandError(printable`${flag} has at least ${SHORTEST} characters.`)
  }
  if (value) return value
  if (name !== undefined) {
    throw new CommandError(printable`${flag}-env names ${name}, but that variable is not set.`)
  }
  if (typed === undefined) return undefined
  throw new CommandError(printable`${flag} is empty.`)
}

/** Why a purchase cannot be made; null if it can. */
function problemOf(id: IntentId, mode: WalkMode, tokens: Tokens): string | null {
  const intent: BuyerIntent | undefined = INTENTS.find((each) => each.id === id)
  if (mode === 'look') return intent?.mode === 'sandbox' ? 'has to pay: give --mode sandbox' : null
  const missing = intent?.moves
    .flatMap((move) => (move.do === 'pay' ? [move.with] : []))
    .find((wanted) => tokens[wanted] === undefined)
  return missing === undefined ? null : `needs a token: give --${missing}-token-env`
}

/** The intents of a walk, in its order; all if nothing could be walked. */
function intentsOfWalk({ routes }: Transcript): readonly IntentId[] {
  const made = new Set(routes.flatMap(({ purchases }) => purchases.map(({ intent }) => intent)))
  return made.size === 0 ? INTENT_NAMES : [...made]
}

function dialectsAgain(again: Transcript | null): WalkDialectName[] | null {
  const spoken = again?.routes.map(({ dialect }) => dialect) ?? []
  return spoken.length === 0 ? null : spoken
}
