import * as z from 'zod'
import { codeBlock } from '../web/inert-markdown.ts'
import { EVIDENCE_READS, findGapDoc, GAP_RULES, SEVERITY_MEANS } from './gap-docs.ts'
import { sourcesOf } from './gap-sources.ts'
import { remediesOf } from './remedies.ts'
import { CheckName, Severity } from './vocabulary.ts'

/** All that is known of a gap, as programs read it. */
export const ExplainedGap = z.object({
  id: z.string().describe('The id of the gap'),
  check: CheckName.describe('The check that it belongs to'),
  severity: Severity.describe('How bad it is'),
  label: z.string().describe('What is wrong, in a few words'),
  meaning: z.string().describe('What it means, as an agent meets it'),
  why: z.string().describe('Why it matters'),
  fix: z.string().describe('What to do on any platform'),
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
  reads: z.array(z.string()).describe('What of a store is read to judge it'),
  sources: z
    .array(
      z.object({
        title: z.string().describe('What the rule rests on'),
        url: z.string().nullable().describe('Where that is published; null where nowhere'),
      }),
    )
    .describe('What the rule rests on'),
})
export type ExplainedGap = z.infer<typeof ExplainedGap>

/** The page of a gap; null for an id that is none. */
export function gapPageOf(id: string): ExplainedGap | null {
  const found = findGapDoc(id)
  if (found === null) return null
  const { gap, check, severity, label, fix, reads, authority } = found.rule
  const { meaning, why, before, after } = found.doc
  return {
    id: gap,
    check,
    severity,
    label,
    meaning,
    why,
    fix,
    platforms: remediesOf(gap).map(({ name, remedy: { steps, who, effort, source } }) => ({
      name,
      steps,
      who,
      effort,
      source,
    })),
    before,
    after,
    reads: [...reads],
    sources: sourcesOf(authority).map(({ title, url }) => ({ title, url })),
  }
}

/** The same as Markdown. All of it is our own text. */
export function gapMarkdown(page: ExplainedGap): string {
  const { id, check, severity, label, meaning, why, fix, platforms, before, after, sources } = page
  const reads = GAP_RULES.find(({ gap }) => gap === id)?.reads ?? []
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
