import type { McpSeen } from '../../../shared/audit/evidence.ts'
import { toolsIn } from '../../../shared/protocols/mcp-answer.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import { beginStep } from '../../../shared/walk/step-notes.ts'
import { schemaFaults } from '../../../shared/walk/tool-schemas.ts'
import type { Exchange, WalkStep } from '../../../shared/walk/transcript.ts'
import { counted } from '../../../shared/web/text/english-count.ts'

/** Compares the schemas of a service's tools with what UCP has them take. */
export function judgeTools(
  dialect: WalkDialect,
  seen: Pick<McpSeen, 'tools' | 'more'>,
  { n, exchanges }: { n: number; exchanges: readonly Exchange[] },
): WalkStep {
  const notes = beginStep(dialect, { n, step: 'find', title: 'Reads what the tools take' })
  notes.exchanged(exchanges)
  const tools = toolsIn(seen)
  if (tools === null) notes.conclude('The service lists no tools.')
  else {
    notes.conclude(`It lists ${counted(tools.length, 'tool')}.`, 'tools')
    const [first, ...more] = schemaFaults(tools)
    if (first === undefined) notes.hold('tools_fit')
    else {
      const others = more.map(({ tool }) => tool).join(', ')
      const also = others === '' ? '' : ` So it is with ${others}.`
      notes.fail('tools_fit', `${first.tool}: ${first.found}${also}`, { field: first.field })
    }
  }
  return notes.done()
}
