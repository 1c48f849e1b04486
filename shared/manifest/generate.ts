import { foreignEndpoints, inspectManifest } from './inspect.ts'
import { buildManifest, type Manifest, type ManifestRequest } from './manifest.ts'
import { buildProfile, type Profile } from './ucp/build.ts'

/**
 * The document that a request asks for, in the format that it names. `warnings` are what to look at
 * before it is published; `notes` are those and what agents will not do with it as it is, for
 * forms, where more can be filled in.
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

/** A document as the file that holds it. Without `generated_at`, which is not to be published. */
export const fileText = (document: object): string =>
  `${JSON.stringify(publishedDocument(document), null, 2)}\n`

export function publishedDocument(document: object): object {
  const { generated_at: _, ...published } = { generated_at: null, ...document }
  return published
}
