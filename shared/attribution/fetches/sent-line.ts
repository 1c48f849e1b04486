import * as z from 'zod'
import type { LogLine } from './fetch.ts'

// Unspecified: `POST /api/fetches` takes lines of logs as NDJSON: what a server knows of requests
// that run no script. A line may have 16 KiB, and a call 16 MiB, uncompressed.
export const MAX_LINE = 16_384

const Marks = z.record(z.string().max(100), z.string().max(2000))

/** A line of `POST /api/fetches`. Unknown fields are refused, so that none is sent in vain. */
export const SentLine = z.strictObject({
  at: z
    .union([z.number(), z.string().max(40)])
    .refine(
      (at) => Number.isFinite(new Date(at).getTime()),
      'Send a time such as 2026-11-20T06:00:00Z.',
    )
    .describe('When it came: ISO 8601 with an offset, or milliseconds since 1970'),
  method: z.string().regex(/^[A-Za-z-]{1,20}$/, 'Send the method, such as GET.'),
  host: z.string().max(253).exactOptional().describe('Left out: that of the domain'),
  path: z.string().max(8000).describe('Without a query'),
  marks: Marks.exactOptional().describe('Of the query, its campaign parameters alone'),
  status: z.int().describe('Of the answer: 200'),
  challenged: z
    .boolean()
    .exactOptional()
    .describe('The answer was a challenge of a firewall, such as with `cf-mitigated: challenge`'),
  bytes: z.int().exactOptional().describe('Of its body'),
  userAgent: z.string().max(2000),
  address: z
    .string()
    .max(100)
    .exactOptional()
    .describe('The client’s: it verifies whose agent it was, and is not stored'),
  vouched: z
    .boolean()
    .exactOptional()
    .describe('Your CDN has verified whose agent it was, such as by `verifiedBotCategory`'),
  signature: Marks.exactOptional().describe('The headers of its Web Bot Auth signature'),
  id: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe('What your server calls the request: a line counts once under it'),
  nth: z
    .int()
    .min(0)
    .exactOptional()
    .describe('Of lines without an id that are alike: how many came before'),
}) satisfies z.ZodType<LogLine>
