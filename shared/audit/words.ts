import { acpWords } from './checks/acp/words.ts'
import { attributionWords } from './checks/attribution/words.ts'
import { catalogWords } from './checks/catalog/words.ts'
import { walkWords } from './checks/checkout/walk-words.ts'
import { checkoutWords } from './checks/checkout/words.ts'
import { entityWords } from './checks/entity/words.ts'
import { feedWords } from './checks/feed/words.ts'
import { ucpProfileWords } from './checks/official-profile/words.ts'
import { pagesWords } from './checks/pages/words.ts'
import { schemaWords } from './checks/schema/words.ts'
import { accessWords } from './checks/well-known/access/words.ts'
import { signedWords } from './checks/well-known/signed/words.ts'
import { wellKnownWords } from './checks/well-known/words.ts'
import type { GapWords, RuleWords } from './rule-words.ts'

const ALL = {
  ...wellKnownWords,
  ...accessWords,
  ...signedWords,
  ...catalogWords,
  ...checkoutWords,
  ...walkWords,
  ...acpWords,
  ...schemaWords,
  ...feedWords,
  ...attributionWords,
  ...entityWords,
  ...ucpProfileWords,
  ...pagesWords,
}

/** The gap that a rule reports, or the pass of a rule that reports none. */
export type RuleId = keyof typeof ALL
export type GapId = { [Id in RuleId]: (typeof ALL)[Id] extends GapWords ? Id : never }[RuleId]

const BY_ID: RuleWords = ALL

/** Whether a gap of this id exists. */
export const isGap = (id: string): id is GapId =>
  Object.hasOwn(BY_ID, id) && 'meaning' in (BY_ID[id] ?? {})

/** All that is said of a gap. */
export const gapWords = (id: GapId): GapWords => ALL[id]

/** Every gap that an audit can report. */
export const GAP_IDS: readonly GapId[] = Object.keys(ALL).filter(isGap)

/** How those who list what was judged name a rule, whether or not it passed. */
interface CheckWords {
  /** The id listed under `passed`. */
  passed: string
  /** It has a page; null for a rule that reports none. */
  gap: GapId | null
  words: string
}

/** By both ids, because what was not judged is listed by the gap. */
const CHECKED: ReadonlyMap<string, CheckWords> = new Map(
  Object.entries(BY_ID).flatMap(([id, words]) => {
    const passed = 'passed' in words ? words.passed : id
    const row = { passed, gap: isGap(id) ? id : null, words: words.passes }
    return [id, passed].map((each) => [each, row] as const)
  }),
)

/** By the id of a pass or of a gap; null for one that is not known here. */
export const findCheckWords = (id: string): CheckWords | null => CHECKED.get(id) ?? null
