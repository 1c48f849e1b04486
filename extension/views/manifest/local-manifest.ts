import { fileText, generateDocument } from '../../../shared/manifest/generate.ts'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { inspectAny } from '../../../shared/manifest/ucp/profile.ts'
import type { ManifestValidation } from '../../../shared/manifest/validation.ts'
import { findJsonFault, positionIn } from '../../../shared/web/json/json-fault.ts'

/** A file for `/.well-known/ucp` of a domain, and what to know before publishing it. */
export interface BuiltFile {
  domain: string
  text: string
  warnings: string[]
  /** The server that built it; null for this machine. */
  server: string | null
}

/** Builds the file on this machine, without a server. */
export function buildFile(request: ManifestRequest, now: Date): BuiltFile {
  const { document, warnings } = generateDocument(request, now)
  return { domain: request.domain, text: fileText(document), warnings, server: null }
}

type Pasted = { document: unknown } | { problem: string }

// Unspecified: a pasted manifest of more than 512 KiB is not judged: the server does not read as
// much.
const MAX_CHARACTERS = 512 * 1024

/** Reads pasted JSON; `problem` names the line of the error. */
export function readPasted(pasted: string): Pasted {
  if (pasted.trim() === '') return { problem: 'Paste the content of the file first.' }
  if (pasted.length > MAX_CHARACTERS) return { problem: 'This is longer than 512 KiB.' }
  try {
    return { document: JSON.parse(pasted) }
  } catch {
    const fault = findJsonFault(pasted)
    if (fault === null) return { problem: 'This is not JSON.' }
    const { line, column } = positionIn(pasted, fault.offset)
    return { problem: `This is not JSON: line ${line}, column ${column}: ${fault.reason}.` }
  }
}

/** Validates a document on this machine: nothing is fetched, so endpoints are not tested. */
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
