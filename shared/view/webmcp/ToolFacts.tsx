import type { JSX } from 'preact'
import type { CheckedTools } from '../../walk/webmcp/check-tools.ts'
import { TOOL_FINDINGS } from '../../walk/webmcp/findings.ts'

interface ToolFactsProps {
  tools: readonly { name: string; description: string }[]
  calls: readonly { tool: string }[]
  left: CheckedTools['left']
  findings: CheckedTools['findings']
}

/** The tools of a page, each with what became of it. Every value is untrusted text. */
export const ToolFacts = ({ tools, ...more }: ToolFactsProps): JSX.Element => (
  <dl class="page-tools">
    {tools.map((tool, at) => (
      <Tool key={at} tool={tool} {...more} />
    ))}
  </dl>
)

interface ToolProps extends Omit<ToolFactsProps, 'tools'> {
  tool: ToolFactsProps['tools'][number]
}

function Tool({ tool: { name, description }, ...all }: ToolProps): JSX.Element {
  const isCalled = all.calls.some(({ tool }) => tool === name)
  const left = all.left.find(({ tool }) => tool === name)
  const findings = all.findings.filter(({ tool }) => tool === name)
  return (
    <div>
      <dt class="wild">{name}</dt>
      <dd class="wild quiet">{description}</dd>
      {isCalled && findings.length === 0 && <dd>Its answer agrees with the page.</dd>}
      {left && <dd class="quiet">Not called. {left.why}</dd>}
      {findings.map(({ id, detail }) => (
        <dd key={id}>
          <span class="fault">{TOOL_FINDINGS[id][0]}</span>
          <span class="wild quiet">{detail}</span>
        </dd>
      ))}
    </div>
  )
}
