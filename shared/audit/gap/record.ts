import * as z from 'zod'
import { isShownOnlyByWalk } from '../checks/checkout/walk-rules.ts'
import type { GapRule } from '../checks/index.ts'
import { CATEGORIES, costOfGap, THINGS, type Thing, thingOf } from '../score.ts'
import { CheckName, Severity } from '../vocabulary.ts'
import { sourcesOf } from './sources.ts'

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
    })
    .describe('What proves the rule'),
})
export type GapRecord = z.infer<typeof GapRecord>

/** What a walk through pages finds has a fault for each kind of finding, of which this is one. */
const PROVEN_ON_PAGES: Readonly<Partial<Record<string, string>>> = {
  pages_walled: 'ucp-pages-captcha',
  pages_interrupted: 'ucp-pages-pop-up',
  pages_product_unclear: 'ucp-pages-price-missing',
  pages_choices_unnamed: 'ucp-pages-option-unnamed',
  pages_options_not_operable: 'ucp-pages-options-not-operable',
  pages_add_fails: 'ucp-pages-add-text',
  pages_basket_differs: 'ucp-pages-basket-dearer',
  pages_checkout_not_found: 'ucp-pages-checkout-unnamed',
  pages_account_required: 'ucp-pages-account-required',
  pages_form_unclear: 'ucp-pages-field-unnamed',
  pages_form_stops: 'ucp-pages-form-refused',
  pages_total_missing: 'ucp-pages-total-missing',
  pages_tools_unclear: 'ucp-webmcp-schema-missing',
  pages_tools_fail: 'ucp-webmcp-call-fails',
  pages_tools_differ: 'ucp-webmcp-price-differs',
  pages_tools_change: 'ucp-webmcp-changes-silently',
}

/**
 * The fault of the reference store that proves a rule: it has this gap and no other. What only a
 * purchase shows has a fault in each dialect, of which this is one.
 */
export function provingFault(rule: GapRule): GapRecord['proof']['faults'][number] {
  const name = rule.gap.replaceAll('_', '-')
  const ofPages = rule.reads.includes('pagesWalk') ? PROVEN_ON_PAGES[rule.gap] : undefined
  if (ofPages !== undefined) return { fault: ofPages, needs_walk: true }
  if (!isShownOnlyByWalk(rule)) return { fault: name, needs_walk: false }
  const dialect = rule.check === 'acp' ? 'acp' : 'ucp'
  return { fault: `${dialect}-${name.replace(/^(?:checkout|acp)-/, '')}`, needs_walk: true }
}

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
    proof: { faults: [provingFault(rule)] },
  }
}
