import {
  type ClientRequestOptions,
  type ClientResponse,
  hc,
  type InferRequestType,
} from 'hono/client'
import * as z from 'zod'
// Only its type: the paths, the requests and the answers are the server's own.
import type { ApiRoutes } from '../../server/app.ts'
import { Property } from '../../shared/attribution/property.ts'
import { Report } from '../../shared/attribution/report.ts'
import { AuditResult } from '../../shared/audit/result/result.ts'
import { ManifestValidation } from '../../shared/manifest/validation.ts'
import { readWarnings, WARNINGS_HEADER } from '../../shared/manifest/warnings-header.ts'
import { WalkListed, WalkShown } from '../../shared/walk/stored-walk.ts'
import { readCapped } from '../read-capped.ts'
import { failureOf } from './read-failure.ts'
import { failed, type Result } from './result.ts'
import { readServerUrl } from './server-url.ts'

interface ClientSettings {
  /** As typed; an invalid one fails each call as `bad_url`. */
  baseUrl: string
  /** Sent as a bearer token; empty for none. */
  key: string
  /** The browser's own by default. */
  fetch?: typeof fetch
}

/** What a key may do, found out by the cheapest call that needs one. */
export interface KeyAccess {
  /** The storefronts of the key; null if it may not read reports. */
  properties: Property[] | null
}

type Routes = ReturnType<typeof hc<ApiRoutes>>['api']
type AuditRequest = InferRequestType<Routes['audit']['$post']>['json']
type ManifestRequest = InferRequestType<Routes['manifest']['$post']>['json']
type ValidationRequest = InferRequestType<Routes['manifest']['validate']['$post']>['json']
export type ReportRequest = Omit<InferRequestType<Routes['report']['$get']>['query'], 'format'>

export type ApiClient = ReturnType<typeof createApiClient>

// Unspecified: the extension waits 60 seconds for an audit, and 20 for any other answer.
const AUDIT_MS = 60_000
const OTHER_MS = 20_000
/** Far above any answer of ours: a longer one comes from something else. */
const MAX_BYTES = 8 * 1024 * 1024

const PRIVATE = {
  credentials: 'omit',
  cache: 'no-store',
  // The key must not be sent to the target of a redirect.
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit

const Built = z.looseObject({})
const Properties = z.object({ properties: z.array(Property) })

type Answer = ClientResponse<unknown, number, string>

/** Sends one request, with the options that all of them share. */
type Send<R extends Answer> = (options: ClientRequestOptions) => Promise<R>

interface Limits {
  signal: AbortSignal | undefined
  /** Milliseconds. */
  timeout?: number
}

/** The JSON that the server's type promises, without its CSV text. */
type JsonOf<R> =
  R extends ClientResponse<infer Body, 200 | 202, 'json'> ? Exclude<Body, string> : never

/**
 * Calls the hosted API (spec, Endpoints). No call throws: every error is an `ApiFailure`. Answers
 * are validated anyway, because the server may have another version, or not be Aisle.
 */
export function createApiClient({ baseUrl, key, fetch: given }: ClientSettings) {
  const server = readServerUrl(baseUrl)
  const { api } = hc<ApiRoutes>('url' in server ? server.url : '', {
    // Browsers refuse to call `fetch` as a method of another object.
    fetch: given ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  })

  async function ask(
    send: Send<Answer>,
    { signal, timeout = OTHER_MS }: Limits,
  ): Promise<Result<string>> {
    if ('problem' in server) return failed('bad_url', 'The server address is not an https URL.')
    const limit = AbortSignal.timeout(timeout)
    try {
      const answer = await send({
        init: {
          ...PRIVATE,
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        },
      })
      const { bytes, truncated } = await readCapped(answer, MAX_BYTES)
      if (truncated)
        return failed('unexpected', 'The answer is too long.', { status: answer.status })
      const text = new TextDecoder().decode(bytes)
      return answer.ok ? { ok: true, value: text } : { ok: false, failure: failureOf(answer, text) }
    } catch (error) {
      if (signal?.aborted) return failed('cancelled', 'The request was cancelled.')
      if (limit.aborted) {
        return failed('unavailable', `No answer within ${timeout / 1000} seconds.`, {
          code: 'timeout',
        })
      }
      return failed('offline', error instanceof Error ? error.message : 'The request failed.')
    }
  }

  /** A `schema` that does not match the server's type is a type error (`never`). */
  async function askJson<R extends Answer, S extends z.ZodType>(
    schema: JsonOf<R> extends z.input<S> ? S : never,
    send: Send<R>,
    limits: Limits,
  ): Promise<Result<z.output<S>>> {
    const asked = await ask(send, limits)
    if (!asked.ok) return asked
    const read = schema.safeParse(parseJson(asked.value))
    return read.success
      ? { ok: true, value: read.data }
      : failed('unexpected', 'The answer is not from an Aisle server of this version.', {
          status: 200,
        })
  }

  /** The storefronts of the key. */
  async function properties(signal?: AbortSignal): Promise<Result<Property[]>> {
    const read = await askJson(Properties, (options) => api.properties.$get({}, options), {
      signal,
    })
    return read.ok ? { ok: true, value: read.value.properties } : read
  }

  return {
    properties,
    /** Takes up to a minute; with `dry_run` the stored result, or the code `no_cached_audit`. */
    audit: (json: AuditRequest, signal?: AbortSignal) =>
      askJson(AuditResult, (options) => api.audit.$post({ json }, options), {
        signal,
        timeout: AUDIT_MS,
      }),
    /** The manifest to publish, and the server's warnings. */
    buildManifest: async (
      json: ManifestRequest,
      signal?: AbortSignal,
    ): Promise<Result<{ manifest: Record<string, unknown>; warnings: string[] }>> => {
      let warnings: string[] = []
      const send = async (options: ClientRequestOptions) => {
        const answer = await api.manifest.$post({ json }, options)
        warnings = readWarnings(answer.headers.get(WARNINGS_HEADER))
        return answer
      }
      const read = await askJson(Built, send, { signal })
      return read.ok ? { ok: true, value: { manifest: read.value, warnings } } : read
    },
    validateManifest: (json: ValidationRequest, signal?: AbortSignal) =>
      askJson(ManifestValidation, (options) => api.manifest.validate.$post({ json }, options), {
        signal,
      }),
    report: (query: ReportRequest, signal?: AbortSignal) =>
      askJson(
        Report,
        (options) => api.report.$get({ query: { ...query, format: 'json' } }, options),
        { signal },
      ),
    /** The same report as text/csv, to save as a file. */
    reportCsv: (query: ReportRequest, signal?: AbortSignal) =>
      ask((options) => api.report.$get({ query: { ...query, format: 'csv' } }, options), {
        signal,
      }),
    /** Starts a walk that pays nothing; it runs on the server and is polled by its id. */
    startWalk: (domain: string, signal?: AbortSignal) =>
      askJson(WalkListed, (options) => api.walk.$post({ json: { domain } }, options), {
        signal,
      }),
    walk: (id: string, signal?: AbortSignal) =>
      askJson(WalkShown, (options) => api.walk[':id'].$get({ param: { id } }, options), {
        signal,
      }),
    /** Cancels a walk; the server first cancels what it opened. */
    stopWalk: (id: string, signal?: AbortSignal) =>
      askJson(WalkListed, (options) => api.walk[':id'].$delete({ param: { id } }, options), {
        signal,
      }),
    /** Whether the server answers and accepts the key. */
    testConnection: async (signal?: AbortSignal): Promise<Result<KeyAccess>> => {
      const read = await properties(signal)
      if (read.ok) return { ok: true, value: { properties: read.value } }
      // A key that can only audit is valid too.
      return read.failure.code === 'insufficient_scope'
        ? { ok: true, value: { properties: null } }
        : read
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
