import * as z from 'zod'
import { type SeenWith, seenWithText } from '../../web/site-access.ts'

/** A file that fixes a store, as it has to be written. */
export const ProposedFile = z.object({
  path: z.string().describe('Where to write it, below the folder of the site'),
  content: z.string().describe('All that it holds'),
  placement: z
    .enum(['file', 'head'])
    .describe(
      '`file`: it is served at `url`. `head`: it goes into the `<head>` of the page at `url`',
    ),
  url: z.string().describe('Where it is served, or the page that holds it'),
  content_type: z
    .string()
    .nullable()
    .describe('What to send as Content-Type; null for what goes into a page'),
  replaces: z.string().nullable().describe('What to take away for it; null where nothing is'),
})
export type ProposedFile = z.infer<typeof ProposedFile>

/** Files to write, made from what the store shows. Nothing is written by us. */
export const Proposal = z.object({
  domain: z.string().describe('The domain of the store'),
  files: z.array(ProposedFile).describe('What to write. Empty where nothing can be proposed'),
  missing: z
    .array(z.string())
    .describe(
      'What only the merchant knows: ask for it, and ask again with it. What cannot be made from what the store shows: put it right there',
    ),
  notes: z.array(z.string()).describe('What to look at before the files are published'),
  check_after: z.array(z.string()).describe('What to do once they are published, to see it work'),
})
export type Proposal = z.infer<typeof Proposal>

/** A proposal before it is known of which domain it is. */
export type Proposed = Omit<Proposal, 'domain'>

/** The proposal for a domain. Its notes say first what of the owner's the store was seen with. */
export const proposalFor = (
  domain: string,
  { notes, ...proposed }: Proposed,
  { seen_with }: { seen_with?: SeenWith },
): Proposal => ({
  domain,
  ...proposed,
  notes: seen_with === undefined ? notes : [seenWithText(seen_with), ...notes],
})
