import * as z from 'zod'
import type { OpenApiDocument } from '../../routes/openapi/openapi.ts'

const Operation = z.object({
  summary: z.string().default(''),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** `/llms.txt` (llmstxt.org): the API for agents, built from the OpenAPI document. */
export function llmsText(document: OpenApiDocument, baseUrl: string): string {
  return `# Aisle

> Checks whether AI agents can find, understand and buy from a store; generates and validates the manifest at /.well-known/ucp; reports the sessions and orders that AI surfaces brought.

Bodies are JSON. Amounts are integers in the smallest unit of an ISO 4217 currency, timestamps are ISO 8601 in UTC. Calls under /api need the header "Authorization: Bearer <API_KEY>", except those under /api/walk/shared, which a link opens; ${baseUrl}/help says how to get a key. Errors are { "error": { "code", "message", "details"?, "request_id" } }, and message says what to do. After 429 and 503, wait for the number of seconds in Retry-After.

## API

${operationsOf(document, baseUrl).join('\n')}

## Documents

- [OpenAPI](${baseUrl}/openapi.json): every field of every call
- [Calls](${baseUrl}/docs): each with an example
- [Rules of all calls](${baseUrl}/docs/rules): scopes, limits, errors
- [Help](${baseUrl}/help): how to get a key
- [Decisions](${baseUrl}/decisions): what Aisle does where the specification leaves things open
- [Gaps](${baseUrl}/gaps): everything that an audit can find, each with an example before and after

## Tools without a key

- [Create the manifest](${baseUrl}/tools/manifest)
- [Check a manifest](${baseUrl}/tools/validate)
- [Create product markup](${baseUrl}/tools/schema)
- [Set up the tag](${baseUrl}/tools/snippet)
- [Join orders to visits](${baseUrl}/tools/orders): the code for each platform
- [Count what AI agents read](${baseUrl}/tools/collectors): the code for each server
`
}

function operationsOf({ paths = {} }: OpenApiDocument, baseUrl: string): string[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const read = Operation.safeParse(item?.[method])
        if (!read.success) return []
        const { summary, description, security } = read.data
        const scopes = (security ?? []).flatMap((each) => Object.values(each).flat())
        const scope = scopes.length === 0 ? '' : ` Scope: ${scopes.join(', ')}.`
        const more = description === undefined ? '' : ` ${description}`
        return `- [${method.toUpperCase()} ${path}](${baseUrl}${path}): ${summary}.${more}${scope}`
      }),
    )
}
