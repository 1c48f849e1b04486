import * as z from 'zod'
import type { CheckedTools } from './check-tools.ts'
import { TOOL_FINDINGS, type ToolFindingId } from './findings.ts'

const MOST_TEXT = 500
const MOST_FINDINGS = 50

const FINDING_IDS: readonly ToolFindingId[] = Object.keys(TOOL_FINDINGS).filter(
  (id): id is ToolFindingId => Object.hasOwn(TOOL_FINDINGS, id),
)

export const ToolFindingKept = z.object({
  id: z.enum(FINDING_IDS).describe('What is wrong, for programs'),
  tool: z.string().describe('The name of the tool'),
  detail: z.string().describe('What was seen, and what was expected'),
})

/** The tools of a page (WebMCP) as they are kept with a walk. */
export const ToolsKept = z.object({
  unseen: z
    .string()
    .nullable()
    .describe('Why they were not seen, as a sentence: nothing follows about the store'),
  tools: z
    .array(
      z.object({
        name: z.string().describe('Its name'),
        description: z.string().describe('What it says that it does'),
        only_reads: z.boolean().describe('It says that it changes nothing'),
      }),
    )
    .describe('The tools that the page offers; none is an ordinary page'),
  calls: z
    .array(
      z.object({
        tool: z.string().describe('The name of the tool'),
        input: z.string().describe('What was sent, as JSON'),
        answer: z.string().nullable().describe('The beginning of its answer. Null: there was none'),
      }),
    )
    .describe('The calls of those that say to change nothing'),
  left: z
    .array(
      z.object({
        tool: z.string().describe('The name of the tool'),
        why: z.string().describe('Why it was not called, as a sentence'),
      }),
    )
    .describe('The others'),
  findings: z.array(ToolFindingKept).describe('What is wrong with them'),
})
export type ToolsKept = z.infer<typeof ToolsKept>

const NONE: ToolsKept = { unseen: null, tools: [], calls: [], left: [], findings: [] }

/** Tools that were not seen. */
export const unseenTools = (why: string): ToolsKept => ({ ...NONE, unseen: why })

/** What became of the tools of a page; null: it has none. Texts of the store are cut. */
export function keptTools(checked: CheckedTools | null): ToolsKept {
  if (checked === null) return NONE
  const cut = (text: string) => text.slice(0, MOST_TEXT)
  return {
    unseen: null,
    tools: checked.tools.map(({ name, description, isReadOnly }) => ({
      name: cut(name),
      description: cut(description),
      only_reads: isReadOnly,
    })),
    calls: checked.calls.map(({ tool, input, answer }) => ({
      tool: cut(tool),
      input: cut(input),
      answer: answer === null ? null : cut(answer),
    })),
    left: checked.left.map(({ tool, why }) => ({ tool: cut(tool), why })),
    findings: checked.findings.slice(0, MOST_FINDINGS).map(({ id, tool, detail }) => ({
      id,
      tool: cut(tool),
      detail: cut(detail),
    })),
  }
}
