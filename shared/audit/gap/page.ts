import * as z from 'zod'
import { codeBlock } from '../../web/text/inert-markdown.ts'
import { findGapRule, GAP_RULES } from '../checks/index.ts'
import { EVIDENCE_READS } from '../evidence.ts'
import { remediesOf } from '../platforms/remedies.ts'
import { SEVERITY_MEANS } from '../vocabulary.ts'
import { gapWords } from '../words.ts'
import { GapRecord, gapRecordOf } from './record.ts'

/** All that is known of a gap, as programs read it. */
export const ExplainedGap = GapRecord.extend({
  meaning: z.string().describe('What it means, as an agent meets it'),
  why: z.string().describe('Why it matters'),
  platforms: z
    .array(
      z.object({
        name: z.string().describe('The platform'),
        steps: z.string().describe('Where, and what to do there'),
        who: z.enum(['merchant', 'developer', 'host']).describe('Who can do it'),
        effort: z.enum(['minutes', 'hours', 'days']).describe('How long it takes'),
        source: z.string().describe("The platform's own page about it"),
      }),
    )
    .describe('What to do on platforms of which that is known'),
  before: z.string().describe('An example of the fault'),
  after: z.string().describe('The same, fixed'),
})
export type ExplainedGap = z.infer<typeof ExplainedGap>

/** The page of a gap; null for an id that is not one. */
export function gapPageOf(id: string): ExplainedGap | null {
  const rule = findGapRule(id)
  if (rule === null) return null
  const { meaning, why, before, after } = gapWords(rule.gap)
  return {
    ...gapRecordOf(rule),
    meaning,
    why,
    platforms: remediesOf(id).map(({ name, remedy: { steps, who, effort, source } }) => ({
      name,
      steps,
      who,
      effort,
      source,
    })),
    before,
    after,
  }
}

/** The same as Markdown. All of it is our own text. */
export function gapMarkdown(page: ExplainedGap): string {
  const { id, check, severity, label, meaning, why, fix, platforms, before, after, sources } = page
  const reads = findGapRule(id)?.reads ?? []
  return `${[
    `# ${label}`,
    `\`${id}\`, check \`${check}\`. Severity: ${severity}, ${SEVERITY_MEANS[severity]}.`,
    '## What it means',
    meaning,
    '## Why it matters',
    why,
    '## How to fix it',
    fix,
    ...platforms.map(({ name, steps, source }) => `**On ${name}:** ${steps} (<${source}>)`),
    '## Before',
    codeBlock(before),
    '## After',
    codeBlock(after),
    '## How it is judged',
    `Reads: ${reads.map((key) => EVIDENCE_READS[key]).join('; ')}.`,
    ...sources.map(({ title, url }) => (url === null ? `- ${title}` : `- ${title}: <${url}>`)),
  ].join('\n\n')}\n`
}

/** Ids that have the most words of what was typed, at most five. */
export function gapsLike(typed: string): string[] {
  const words = typed
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const inCommon = (gap: string) =>
    gap.split('_').filter((word) => word.length > 2 && words.includes(word)).length
  const scored = GAP_RULES.map(({ gap }) => ({ gap, many: inCommon(gap) }))
  const most = Math.max(...scored.map(({ many }) => many))
  return most === 0
    ? []
    : [...new Set(scored.filter(({ many }) => many === most).map(({ gap }) => gap))].slice(0, 5)
}
