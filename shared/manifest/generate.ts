import { foreignEndpoints, inspectManifest } from './inspect.ts'
import { buildManifest, type Manifest, type ManifestRequest } from './manifest.ts'
import { buildProfile, type Profile } from './ucp/build.ts'

/**
 * The document for a request, in the format that it asks for. `warnings` must be checked before
 * publishing. `notes` are for forms, where more can be filled in: the warnings, and what agents
 * will not do with the document.
 */
export function generateDocument(
  request: ManifestRequest,
  generatedAt: Date,
): { document: Manifest | Profile; warnings: string[]; notes: string[] } {
  if (request.format === 'ucp') {
    const { profile, warnings } = buildProfile(request)
    return { document: profile, warnings, notes: warnings }
  }
  const manifest = buildManifest(request, generatedAt)
  const { warnings: notes } = inspectManifest(publishedDocument(manifest), request.domain)
  return { document: manifest, warnings: foreignEndpoints(manifest), notes }
}

/** The file content of a document, without `generated_at`, which must not be published. */
export const fileText = (document: object): string =>
  `${JSON.stringify(publishedDocument(document), null, 2)}\n`

export function publishedDocument(document: object): object {
  const { generated_at: _, ...published } = { generated_at: null, ...document }
  return published
}
