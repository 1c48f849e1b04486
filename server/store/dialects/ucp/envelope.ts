import * as z from 'zod'
import { LATEST_UCP_VERSION } from '../../../../shared/manifest/dialect.ts'
import type { JsonObject } from '../../http/store-request.ts'

/** Longer than any id, name or line that an agent has reason to send. */
export const Text = z.string().max(200)

/** What an operation says, with the HTTP status that it has over REST. */
export interface UcpResult {
  status: number
  body: JsonObject
}

/** A message of type `error`; `path` is the JSONPath of what it is about. */
export interface UcpErrorDetail {
  code: string
  content: string
  severity: 'recoverable' | 'unrecoverable'
  path?: string
}

/** The `ucp` member of every response: the version, and the capabilities that it is made by. */
export const ucpOf = (status: 'success' | 'error', ...capabilities: string[]): JsonObject => ({
  version: LATEST_UCP_VERSION,
  status,
  capabilities: Object.fromEntries(
    capabilities.map((name) => [name, [{ version: LATEST_UCP_VERSION }]]),
  ),
})

/** A message of type `error`, as UCP lists them under `messages`. */
export const errorMessage = (complaint: UcpErrorDetail): JsonObject => ({
  type: 'error',
  ...complaint,
})

/** UCP's error response: there is nothing to show, and why. HTTP 200 unless it says otherwise. */
export const ucpFailure = (code: string, content: string, status = 200): UcpResult => ({
  status,
  body: {
    ucp: ucpOf('error'),
    messages: [errorMessage({ code, content, severity: 'unrecoverable' })],
  },
})
