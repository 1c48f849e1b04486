import {
  isUnjudged,
  ManifestValidation,
  ManifestValidationRequest,
} from '../../../shared/manifest/validation.ts'
import { defineTool, readsOnly } from '../tool.ts'

export const VALIDATE_MANIFEST_TOOL = defineTool({
  name: 'validate_manifest',
  title: 'Validate a manifest',
  description:
    'Judge a UCP manifest, published at a URL or given as an object: whether it is valid, whether agents can buy by it, and what is wrong. Send url or manifest.',
  input: ManifestValidationRequest,
  output: ManifestValidation,
  hints: readsOnly({ asksStore: true }),
  run: ({ url, manifest }, backend, job) =>
    backend.validate(url === undefined ? { manifest } : { url }, job),
  say: (validation) => {
    const { valid, dialect, shoppable, shoppable_reason, errors, warnings, reachability } =
      validation
    const version = dialect === 'unknown' ? 'of no known version' : `version ${dialect}`
    const buying = shoppable
      ? 'agents can buy by it'
      : isUnjudged(validation)
        ? 'it is not known whether agents can buy by it'
        : 'agents cannot buy by it'
    return [
      `${valid ? 'Valid' : 'Not valid'}, ${version}; ${buying}.`,
      { store: [shoppable_reason] },
      ...(errors.length === 0
        ? []
        : [
            `${errors.length} errors:`,
            { store: errors.map(({ field, code, message }) => `${field} (${code}): ${message}`) },
          ]),
      ...(warnings.length === 0 ? [] : ['Warnings:', { store: warnings }]),
      ...(Object.keys(reachability).length === 0
        ? []
        : [
            'What answers:',
            { store: Object.entries(reachability).map((each) => each.join(': ')) },
          ]),
    ]
  },
})
