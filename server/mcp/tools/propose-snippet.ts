import * as z from 'zod'
import { Proposal } from '../../../shared/audit/proposals/proposal.ts'
import { proposeSnippet } from '../../../shared/audit/proposals/snippet-proposal.ts'
import { Domain } from '../../../shared/web/address/domain.ts'
import { ToolFault } from '../backend.ts'
import { defineTool, readsOnly } from '../tool.ts'
import { FILE_FIELDS, sayProposal } from './say-proposal.ts'

export const PROPOSE_SNIPPET_TOOL = defineTool({
  name: 'propose_snippet',
  title: 'Propose the tag',
  description:
    'Make the tag that counts the visits which AI surfaces bring, for the pages of a store. It needs a property of the domain. Writes nothing; returns what goes into the head of every page.',
  input: z.strictObject({ domain: Domain.describe('Such as shop.example') }),
  output: Proposal,
  exact: FILE_FIELDS,
  hints: readsOnly({ asksStore: false }),
  isFor: ({ tagsOf }) => tagsOf !== null,
  async run({ domain }, { tagsOf }, job) {
    if (tagsOf === null) throw new ToolFault('not_here', 'Properties belong to the service.')
    const [tag] = await tagsOf({ domain }, job)
    if (tag !== undefined) return { domain, ...proposeSnippet({ domain, tag }) }
    return {
      domain,
      files: [],
      missing: [
        'A property of the domain. Create one on the page /properties of the service, or with POST /api/properties, and call this tool again.',
      ],
      notes: [],
      check_after: [],
    }
  },
  say: sayProposal,
})
