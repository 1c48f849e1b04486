import { ManifestProposalRequest } from '../../../shared/audit/proposals/manifest-proposal.ts'
import { Proposal } from '../../../shared/audit/proposals/proposal.ts'
import { defineTool } from '../tool.ts'
import { FILE_FIELDS, PROPOSES, sayProposal } from './say-proposal.ts'

export const PROPOSE_MANIFEST_TOOL = defineTool({
  name: 'propose_manifest',
  title: 'Propose the manifest',
  description:
    'Make the file for /.well-known/ucp of a store, from what the store shows: its present manifest, its catalog and its checkout. Give the endpoints where you know them. Writes nothing; returns the file to write.',
  input: ManifestProposalRequest,
  output: Proposal,
  exact: FILE_FIELDS,
  hints: PROPOSES,
  run: (asked, backend, job) => backend.proposeManifest(asked, job),
  say: sayProposal,
})
