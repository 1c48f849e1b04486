import { foreignEndpoints } from '../../../shared/manifest/inspect.ts'
import { buildManifest, type ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { buildProfile } from '../../../shared/manifest/ucp/build.ts'
import { inspectAny } from '../../../shared/manifest/ucp/profile.ts'
import type { ManifestValidation } from '../../../shared/manifest/validation.ts'
import { findJsonFault, positionIn } from '../../../shared/web/json-fault.ts'

/** A file for `/.well-known/ucp` of a domain, and what to know before it is published. */
export interface BuiltFile {
  domain: string
  text: string
  warnings: string[]
}

/** Builds the file on this machine: no server is asked. */
export function buildFile(request: ManifestRequest, now: Date): BuiltFile {
  const { domain } = request
  if (request.format === 'ucp') {
    const { profile, warnings } = buildProfile(request)
    return { domain, text: fileText({ ...profile }), warnings }
  }
  const manifest = buildManifest(request, now)
  return { domain, text: fileText(manifest), warnings: foreignEndpoints(manifest) }
}

/** A document as the file that holds it. Without `generated_at`, which is not to be published. */
export function fileText({ generated_at: _, ...document }: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

export type Pasted = { document: unknown } | { problem: string }

// Unspecified: a pasted text longer than the server reads is not judged.
const MAX_CHARACTERS = 512 * 1024

/** Reads pasted text as JSON; `problem` names the line where it stops being JSON. */
export function readPasted(text: string): Pasted {
  if (text.trim() === '') return { problem: 'Paste the content of the file first.' }
  if (text.length > MAX_CHARACTERS) return { problem: 'This is longer than 512 KiB.' }
  try {
    return { document: JSON.parse(text) }
  } catch {
    const fault = findJsonFault(text)
    if (fault === null) return { problem: 'This is not JSON.' }
    const { line, column } = positionIn(text, fault.offset)
    return { problem: `This is not JSON: line ${line}, column ${column}: ${fault.reason}.` }
  }
}

/** Judges a document on this machine: nothing is fetched, so endpoints are not tried. */
export function validateLocally(document: unknown, domain?: string): ManifestValidation {
  const { dialect, errors, warnings, shoppable, shoppable_reason } = inspectAny(
    document,
    domain === undefined ? {} : { domain },
  )
  return {
    valid: errors.length === 0,
    dialect,
    shoppable,
    shoppable_reason,
    errors: errors.map(({ field, code, message }) => ({ field, code, message })),
    warnings,
    reachability: {},
  }
}
