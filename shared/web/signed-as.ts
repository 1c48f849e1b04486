import * as z from 'zod'

/** What we signed as, and what the signature changed at a store. */
export const SignedAs = z.object({
  as: z.string().describe('Where our keys are published: `https://aisle.example`'),
  changes: z
    .enum(['nothing', 'opens', 'shuts'])
    .describe(
      '`opens`: something is closed to unsigned requests. `shuts`: something refuses signed ones, and was read without a signature',
    ),
})
export type SignedAs = z.infer<typeof SignedAs>

/** As a sentence. */
export const signedAsText = ({ as, changes }: SignedAs): string =>
  ({
    nothing: `Requests were signed as ${as}; no difference was seen.`,
    opens: `Requests were signed as ${as}: something is closed to unsigned ones, and open to ours.`,
    shuts: `Something refused what was signed as ${as}, and was read without a signature.`,
  })[changes]
