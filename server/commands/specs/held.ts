import * as z from 'zod'
import { VENDOR_PAGES } from '../../../shared/audit/readiness/vendor-pages.ts'
import { STANDARDS } from '../../pages/market/standards.ts'
import files from './held.json' with { type: 'json' }

/** One address that we lean on, and what was read there. */
export const HeldSpec = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  /** `versions`: a list in which dates of versions are; `json`: a schema; `page`: its words. */
  is: z.enum(['versions', 'json', 'page']),
  /** SHA-256 of what counts of it, in hex; left out where only its day is held. */
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The versions that are known. */
  holds: z.array(z.iso.date()).optional(),
  /** The day on which it was read. */
  read: z.iso.date(),
})
export type HeldSpec = z.infer<typeof HeldSpec>

const pages = new Map(
  [
    ...Object.values(VENDOR_PAGES),
    ...STANDARDS.flatMap(({ source, read }) => (read === null ? [] : [{ url: source, read }])),
  ].map(({ url, read }) => [url, read]),
)

/** Published versions, schemas and vendors' pages. */
export const HELD: readonly HeldSpec[] = [
  ...z.array(HeldSpec).parse(files),
  ...[...pages].map(([url, read]) => ({ url, is: 'page' as const, read })),
]
