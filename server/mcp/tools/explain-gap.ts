import * as z from 'zod'
import { ExplainedGap, gapMarkdown, gapPageOf, gapsLike } from '../../../shared/audit/gap/page.ts'
import { ToolFault } from '../backend.ts'
import { defineTool, readsOnly } from '../tool.ts'

export const EXPLAIN_GAP_TOOL = defineTool({
  name: 'explain_gap',
  title: 'Explain a gap',
  description:
    'Say what a gap of an audit means, why it matters, how to fix it, on several platforms too, and show an example before and after. Asks no store.',
  input: z.strictObject({
    gap: z.string().min(1).max(200).describe('The id of the gap, such as well_known_missing'),
  }),
  output: ExplainedGap,
  // Our own examples, line by line.
  exact: ['before', 'after'],
  hints: readsOnly({ asksStore: false }),
  async run({ gap }) {
    const page = gapPageOf(gap)
    if (page !== null) return page
    const near = gapsLike(gap)
    throw new ToolFault(
      'unknown_gap',
      near.length === 0
        ? 'There is no gap of this id. Send an id that an audit names, such as well_known_missing.'
        : `There is no gap of this id. Did you mean ${near.join(', ')}?`,
    )
  },
  say: (page) => [gapMarkdown(page)],
})
