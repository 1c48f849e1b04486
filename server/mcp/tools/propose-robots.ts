import { Proposal } from '../../../shared/audit/proposals/proposal.ts'
import { RobotsProposalRequest } from '../../../shared/audit/proposals/robots-proposal.ts'
import { defineTool } from '../tool.ts'
import { FILE_FIELDS, PROPOSES, sayProposal } from './say-proposal.ts'

export const PROPOSE_ROBOTS_TOOL = defineTool({
  name: 'propose_robots',
  title: 'Propose robots.txt',
  description:
    'Make the robots.txt of a store with the AI shopping agents let in that it keeps out. Of their rules only those that keep them out go; the lines of others stay. Writes nothing; returns the file to write.',
  input: RobotsProposalRequest,
  output: Proposal,
  exact: FILE_FIELDS,
  hints: PROPOSES,
  run: (asked, backend, job) => backend.proposeRobots(asked, job),
  say: sayProposal,
})
