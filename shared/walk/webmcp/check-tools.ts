import { isRecord } from '../../web/json/json.ts'
import { BASKET_LINK } from '../pages/words.ts'
import type { ToolFinding } from './findings.ts'
import { answerOf, judgeCall, judgeListed } from './judge-tools.ts'
import type { CalledTool, CallOrder, ReadPage, ReadTool } from './page-answers.ts'
import { factsOf, type ListedGood, type PageFacts } from './page-facts.ts'
import { pageJson } from './page-json.ts'
import { inputFor } from './tool-input.ts'

/** The tools of a page, and what became of those that were called. */
export interface CheckedTools {
  tools: readonly ReadTool[]
  calls: readonly { tool: string; input: string; answer: string | null }[]
  /** Why a tool was not called, as a sentence. */
  left: readonly { tool: string; why: string }[]
  findings: readonly ToolFinding[]
}

/** Searches first: what they answer names the product as the other tools do. */
const isSearch = ({ name }: ReadTool) => /search/i.test(name)

const MOST_CALLS = 10
const MOST_MS = 8000
/** Of an answer that is shown. */
const MAX_SHOWN = 400

/** A page without tools is asked for nothing. */
export const hasTools = ({ tools }: ReadPage): boolean => tools !== null && tools.length > 0

/** What the tools of a page say of themselves; none is called. */
export const listTools = ({ tools }: ReadPage): CheckedTools => ({
  tools: tools ?? [],
  ...{ calls: [], left: [], findings: judgeListed(tools ?? []) },
})

/**
 * Calls the tools of a page that say to change nothing, about the product of the page, and compares
 * what they answer with what the page says, and with what the catalog lists of it. What changes
 * something is never called.
 */
export async function checkTools(
  page: ReadPage,
  url: string,
  call: (order: CallOrder) => Promise<CalledTool>,
  catalog: readonly ListedGood[] = [],
): Promise<CheckedTools> {
  const { tools, findings: listed } = listTools(page)
  const findings = [...listed]
  const calls: CheckedTools['calls'][number][] = []
  const left: CheckedTools['left'][number][] = []
  let facts = factsOf(page, url, catalog)
  for (const tool of tools.toSorted((a, b) => Number(isSearch(b)) - Number(isSearch(a)))) {
    const leave = (why: string) => void left.push({ tool: tool.name, why })
    if (!tool.isReadOnly) {
      leave('It does not say that it only reads.')
      continue
    }
    const schema = pageJson(tool.schema ?? '')
    if (!isRecord(schema)) {
      leave('It does not say what it takes.')
      continue
    }
    const input = inputFor(schema, facts)
    if (input === null) {
      leave('It demands what the page does not say.')
      continue
    }
    if (calls.length === MOST_CALLS) {
      leave(`${MOST_CALLS} tools were called already.`)
      continue
    }
    const called = await call({
      name: tool.name,
      input: JSON.stringify(input),
      mostMs: MOST_MS,
      basketNames: BASKET_LINK.source,
    })
    const { answer } = called
    calls.push({
      tool: tool.name,
      input: called.input,
      answer: answer?.slice(0, MAX_SHOWN) ?? null,
    })
    findings.push(...judgeCall(called, facts))
    if (answer !== null && isSearch(tool)) facts = withIdOf(answerOf(answer), facts)
  }
  return { tools, calls, left, findings }
}

/** The facts with the id that a search gives to the product. */
function withIdOf(answer: unknown, facts: PageFacts): PageFacts {
  const id = idIn(answer, facts.name.toLowerCase(), 0)
  return id === null ? facts : { ...facts, ids: [...new Set([id, ...facts.ids])] }
}

const MAX_DEPTH = 8

function idIn(value: unknown, name: string, depth: number): string | null {
  if (depth > MAX_DEPTH || name === '') return null
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  if (isRecord(value) && typeof value.id === 'string') {
    const named = [value.title, value.name].find((each) => typeof each === 'string')
    if (named?.toLowerCase() === name) return value.id
  }
  for (const each of inner) {
    const found = idIn(each, name, depth + 1)
    if (found !== null) return found
  }
  return null
}
