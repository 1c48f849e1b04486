import { RATE_HEADERS, type RateHeader } from '../../http/rate-limit.ts'

const INTEGER = { schema: { type: 'integer' as const } }
const TEXT = { schema: { type: 'string' as const } }

const RATE = {
  RateLimit: {
    ...TEXT,
    description: 'What is left of the quota and when it is whole again: `"audit";r=59;t=3600`',
  },
  'RateLimit-Policy': { ...TEXT, description: 'The quota and its window: `"audit";q=60;w=3600`' },
  'X-RateLimit-Limit': { ...INTEGER, description: 'Requests that the key has in a window' },
  'X-RateLimit-Remaining': { ...INTEGER, description: 'How many of them are left' },
  'X-RateLimit-Reset': { ...INTEGER, description: 'Seconds until the window ends' },
} satisfies Record<RateHeader, object>

/** Headers of more than one operation, as components of the document. */
export const HEADERS = {
  'Retry-After': { ...INTEGER, description: 'Seconds until it is worth asking again' },
  ETag: { ...TEXT, description: 'Names what was answered: send it as `If-None-Match`' },
  Location: { ...TEXT, description: 'The address of the walk' },
  'Content-Disposition': { ...TEXT, description: 'The name under which a file is saved' },
  ...RATE,
}

/** References to headers, for the answers that have them. */
export const headerRefs = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/**
 * The answers of an operation that `limitRequests` counts: those in `after` have the remaining
 * quota. A refusal before the count has no such header.
 */
export function countedResponses<const R extends object>(
  responses: R,
  after: readonly (keyof R)[],
): R {
  const answers: [string, { headers?: object }][] = Object.entries(responses)
  const isAfter = (status: string) => after.map(String).includes(status)
  const said = answers.map(([status, answer]) => {
    const headers = { ...answer.headers, ...headerRefs(...RATE_HEADERS) }
    return [status, isAfter(status) ? { ...answer, headers } : answer]
  })
  return Object.fromEntries(said)
}
