import type { CheckedTools } from '../../../shared/walk/webmcp/check-tools.ts'
import { TOOL_FINDINGS } from '../../../shared/walk/webmcp/findings.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { printable, printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import type { Browsers } from '../../audit/browser/browser.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readProductUrl } from './pages.ts'

/**
 * Lists the tools that a page offers to agents (WebMCP), and calls those that say to change
 * nothing. Returns the exit code: 0 if they tell the truth or there are none, 1 with findings.
 */
export async function toolsCommand(
  input: string | undefined,
  { json = false }: { json?: boolean },
  { browsers, signal }: { browsers: Browsers; signal: AbortSignal },
  terminal: Terminal,
): Promise<number> {
  const url = readProductUrl(input, '--tools')
  const seen = await browsers.run('tools', { url: url.href, own: [url.hostname] }, { signal })
  if ('unseen' in seen) throw new CommandError(printable`${seen.why}`, { code: seen.unseen })
  const { done } = seen
  terminal.print(json ? printableJson(done) : done === null ? NONE : textOf(done))
  return done === null || done.findings.length === 0 ? 0 : 1
}

const NONE = printable`The page offers no tools to agents. Nothing is asked of it.`

const textOf = ({ tools, calls, left, findings }: CheckedTools) =>
  printableLines([
    ...tools.flatMap(({ name, description }) => [
      printable`${name}: ${description}`,
      ...calls
        .filter(({ tool }) => tool === name)
        .map(({ input, answer }) => printable`   called with ${input}: ${answer ?? 'no answer'}`),
      ...left
        .filter(({ tool }) => tool === name)
        .map(({ why }) => printable`   not called. ${why}`),
      ...findings
        .filter(({ tool }) => tool === name)
        .map(({ id, detail }) => printable`   ${TOOL_FINDINGS[id][0]}: ${detail}`),
    ]),
    '',
    printable`${counted(tools.length, 'tool')}, ${counted(findings.length, 'finding')}.`,
  ])
