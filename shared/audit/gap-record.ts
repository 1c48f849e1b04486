import * as z from 'zod'
import type { GapRule } from './gap-docs.ts'
import { sourcesOf } from './gap-sources.ts'
import FAULTS from './proof-faults.json' with { type: 'json' }
import INNOCENTS from './proof-innocents.json' with { type: 'json' }
import { CATEGORIES, costOfGap, THINGS, type Thing, thingOf } from './score.ts'
import { CheckName, Severity } from './vocabulary.ts'

const THING_NAMES = Object.keys(THINGS) as [Thing, ...Thing[]]

/** What a rule is and rests on, what its gap costs, and what proves it. */
export const GapRecord = z.object({
  id: z.string().describe('The id of the gap'),
  check: CheckName.describe('The check that it belongs to'),
  category: z.enum(CATEGORIES).describe('The part of `breakdown` that it counts in'),
  severity: Severity.describe('How bad it is'),
  label: z.string().describe('What is wrong, in a few words'),
  points: z
    .object({
      thing: z.enum(THING_NAMES).describe('What of a store it belongs to'),
      of: z.int().describe('What that is worth in all, of 100'),
      cost: z
        .number()
        .describe('What the gap costs where the thing has few of them; an audit states its own'),
    })
    .describe('What it weighs in the score'),
  authority: z.string().describe('What the rule rests on, in words'),
  sources: z
    .array(
      z.object({
        title: z.string().describe('A part of `authority`'),
        url: z.string().nullable().describe('Where that is published; null where nowhere'),
      }),
    )
    .describe('The same, each with its address'),
  fix: z.string().describe('What to do on any platform'),
  reads: z.array(z.string()).describe('What of a store is read to judge it'),
  proof: z
    .object({
      faults: z
        .array(
          z.object({
            fault: z.string().describe('The fault of the reference store that has this gap alone'),
            needs_walk: z.boolean().describe('It shows in a purchase alone, which a walk makes'),
          }),
        )
        .describe('Stores in which it is found'),
      innocents: z
        .array(z.string())
        .describe('Stores that are different and not wrong, in which the rule passes'),
    })
    .describe('The stores of the tests that prove the rule'),
})
export type GapRecord = z.infer<typeof GapRecord>

interface ProvingFault {
  fault: string
  needs_walk: boolean
}

// Tests write both: `faults.db.test.ts` of the store, and `harmless.whole.db.test.ts`.
const PROVED: Readonly<Record<string, ProvingFault[]>> = FAULTS
const PASSED: Readonly<Record<string, string[]>> = INNOCENTS

/** All that is known of a rule, for `/gaps.json`, `/gaps` and `aisle explain`. */
export function gapRecordOf(rule: GapRule): GapRecord {
  const { gap, check, severity, label, authority, fix, reads } = rule
  const thing = thingOf(rule)
  const { category, points } = THINGS[thing]
  return {
    id: gap,
    check,
    category,
    severity,
    label,
    points: { thing, of: points, cost: costOfGap(rule) },
    authority,
    sources: sourcesOf(authority),
    fix,
    reads: [...reads],
    proof: { faults: PROVED[gap] ?? [], innocents: PASSED[gap] ?? [] },
  }
}
