import * as z from 'zod'
import { Property } from '../../shared/attribution/property.ts'
import { Report, type ReportQuery } from '../../shared/attribution/report.ts'
import { type AuditRequest, AuditResult } from '../../shared/audit/audit.ts'
import type { ManifestRequest } from '../../shared/manifest/manifest.ts'
import {
  ManifestValidation,
  type ManifestValidationRequest,
} from '../../shared/manifest/validation.ts'
import { readCapped } from '../read-capped.ts'
import { failureOf } from './read-failure.ts'
import { failed, type Result } from './result.ts'
import { readServerUrl } from './server-url.ts'

export interface ApiSettings {
  /** As the person typed it; a wrong one fails each call as `bad_url`. */
  baseUrl: string
  key: string
  fetch: typeof fetch
}

/** What the server built, as it is to be published, and what it says beside it. */
export interface BuiltManifest {
  manifest: Record<string, unknown>
  warnings: string[]
}

/** What a key opens, learnt from the cheapest call that needs one. */
export interface Connection {
  /** The storefronts of the key; null when it may not read reports. */
  properties: Property[] | null
}

export interface Api {
  audit(request: AuditRequest, signal?: AbortSignal): Promise<Result<AuditResult>>
  buildManifest(request: ManifestRequest, signal?: AbortSignal): Promise<Result<BuiltManifest>>
  validateManifest(
    request: ManifestValidationRequest,
    signal?: AbortSignal,
  ): Promise<Result<ManifestValidation>>
  report(query: ReportRange, signal?: AbortSignal): Promise<Result<Report>>
  /** The same report as text/csv, to be saved as a file. */
  reportCsv(query: ReportRange, signal?: AbortSignal): Promise<Result<string>>
  properties(signal?: AbortSignal): Promise<Result<Property[]>>
  /** Whether the server is there and takes the key. */
  testConnection(signal?: AbortSignal): Promise<Result<Connection>>
}

export type ReportRange = Pick<ReportQuery, 'domain' | 'start' | 'end'> &
  Partial<Pick<ReportQuery, 'granularity' | 'compare' | 'currency'>>

// Unspecified: how long an answer is waited for.
const AUDIT_MS = 60_000
const OTHER_MS = 20_000
/** Far above any answer of ours: what is longer comes from something else. */
const MAX_BYTES = 8 * 1024 * 1024

const Built = z.looseObject({ warnings: z.array(z.string()).optional() })
const Properties = z.object({ properties: z.array(Property) })

interface Call {
  path: string
  body?: unknown
  timeout?: number
  signal?: AbortSignal | undefined
}

/** The hosted API (spec, Endpoints). Never throws: whatever goes wrong is a `Failure`. */
export function createApi({ baseUrl, key, fetch }: ApiSettings): Api {
  const server = readServerUrl(baseUrl)

  async function ask({ path, body, timeout = OTHER_MS, signal }: Call): Promise<Result<string>> {
    if ('problem' in server) return failed('bad_url', 'The server address is no https URL.')
    const limit = AbortSignal.timeout(timeout)
    try {
      const answer = await fetch(`${server.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(key !== '' && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        credentials: 'omit',
        cache: 'no-store',
        // The key must not follow to wherever an answer leads.
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
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

  async function askJson<S extends z.ZodType>(schema: S, call: Call): Promise<Result<z.output<S>>> {
    const asked = await ask(call)
    if (!asked.ok) return asked
    const read = schema.safeParse(parseJson(asked.value))
    return read.success
      ? { ok: true, value: read.data }
      : failed('unexpected', 'The answer is not that of an Aisle server of this version.', {
          status: 200,
        })
  }

  const properties: Api['properties'] = async (signal) => {
    const read = await askJson(Properties, { path: '/api/properties', signal })
    return read.ok ? { ok: true, value: read.value.properties } : read
  }

  return {
    audit: (body, signal) =>
      askJson(AuditResult, { path: '/api/audit', body, timeout: AUDIT_MS, signal }),
    buildManifest: async (body, signal) => {
      const read = await askJson(Built, { path: '/api/manifest', body, signal })
      if (!read.ok) return read
      const { warnings = [], ...manifest } = read.value
      return { ok: true, value: { manifest, warnings } }
    },
    validateManifest: (body, signal) =>
      askJson(ManifestValidation, { path: '/api/manifest/validate', body, signal }),
    report: (range, signal) =>
      askJson(Report, { path: `/api/report?${queryOf(range, 'json')}`, signal }),
    reportCsv: (range, signal) => ask({ path: `/api/report?${queryOf(range, 'csv')}`, signal }),
    properties,
    testConnection: async (signal) => {
      const read = await properties(signal)
      if (read.ok) return { ok: true, value: { properties: read.value } }
      // A key for audits alone is a good key.
      return read.failure.code === 'insufficient_scope'
        ? { ok: true, value: { properties: null } }
        : read
    },
  }
}

function queryOf(range: ReportRange, format: ReportQuery['format']): URLSearchParams {
  const stated = Object.entries({ ...range, format }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams(stated)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
