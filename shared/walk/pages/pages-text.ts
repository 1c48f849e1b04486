import { counted } from '../../web/text/english-count.ts'
import type { ToolsKept } from '../webmcp/tools-kept.ts'
import { isObstacle } from './findings.ts'
import type { PagesKept } from './pages-kept.ts'

const ENDS: Record<NonNullable<PagesKept['ended']>, string> = {
  reached: 'An agent with a browser comes to the last step before paying.',
  stopped: 'An agent with a browser stops before the last step.',
  sold_out: 'The product is sold out, so that nothing was tried.',
  elsewhere: 'The pages lead to another site before the checkout, where nothing was done.',
}
const EMPTIED: Record<NonNullable<PagesKept['emptied']>, string> = {
  emptied: 'The basket was emptied.',
  not_found: 'The basket could not be emptied: its visitor is gone in any case.',
  nothing_in_it: 'Nothing was put into a basket.',
}

/** How a walk through pages ended, in sentences. */
export function pagesText({ ended, unseen, emptied, steps, tools }: PagesKept): string[] {
  const findings = steps.flatMap((step) => step.findings)
  const obstacles = findings.filter(isObstacle).length
  const others = findings.length - obstacles
  const met = [
    ...(obstacles > 0 ? [counted(obstacles, 'obstacle')] : []),
    ...(others > 0
      ? [`${counted(others, 'thing')} that ${others === 1 ? 'makes' : 'make'} it guess`]
      : []),
  ]
  return [
    ...(ended === null ? [] : [ENDS[ended]]),
    ...(unseen === null ? [] : [`Not seen: ${unseen}`]),
    ...(met.length === 0 ? [] : [`It met ${met.join(', and ')}.`]),
    ...(emptied === null ? [] : [EMPTIED[emptied]]),
    ...(tools === null ? [] : toolsText(tools)),
  ]
}

/** Nothing is said of a page without tools. */
function toolsText({ unseen, tools, calls, findings }: ToolsKept): string[] {
  if (unseen !== null) return [`The tools of the page for agents were not seen: ${unseen}`]
  if (tools.length === 0) return []
  const called = `${calls.length} of ${tools.length === 1 ? 'it' : 'them'}`
  const offers = `The page offers ${counted(tools.length, 'tool')} to agents (WebMCP), and ${called} ${calls.length === 1 ? 'was' : 'were'} called`
  return [`${offers}: ${counted(findings.length, 'finding')}.`]
}
