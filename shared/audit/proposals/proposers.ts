import { MANIFEST_READS, ManifestProposalRequest, proposeManifest } from './manifest-proposal.ts'
import { MARKUP_READS, MarkupProposalRequest, proposeMarkup } from './markup-proposal.ts'
import { proposeRobots, ROBOTS_READS, RobotsProposalRequest } from './robots-proposal.ts'

/** Each kind of proposal: its request, what of a store it reads, and how its files are made. */
export const PROPOSERS = {
  manifest: { schema: ManifestProposalRequest, reads: MANIFEST_READS, propose: proposeManifest },
  markup: { schema: MarkupProposalRequest, reads: MARKUP_READS, propose: proposeMarkup },
  robots: { schema: RobotsProposalRequest, reads: ROBOTS_READS, propose: proposeRobots },
} as const
