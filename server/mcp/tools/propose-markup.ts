import { MarkupProposalRequest } from '../../../shared/audit/proposals/markup-proposal.ts'
import { Proposal } from '../../../shared/audit/proposals/proposal.ts'
import { defineTool } from '../tool.ts'
import { FILE_FIELDS, PROPOSES, sayProposal } from './say-proposal.ts'

export const PROPOSE_MARKUP_TOOL = defineTool({
  name: 'propose_markup',
  title: 'Propose the markup',
  description:
    'Make JSON-LD for the product pages of a store, and for a home page that names no organization. The markup of a page is kept, and what it lacks or has wrong is written into it, from the catalog and from what you give; a page without markup gets what the catalog or Open Graph says. Give brand, shipping and returns as the merchant states them; never invent them. Writes nothing; returns what goes into the head of each page, what it replaces there, and in words what has to be put right otherwise.',
  input: MarkupProposalRequest,
  output: Proposal,
  exact: FILE_FIELDS,
  hints: PROPOSES,
  run: (asked, backend, job) => backend.proposeMarkup(asked, job),
  say: sayProposal,
})
