import { endOfHeaders, NewSiteAccess, readHeaderLines } from '../../../access/site-access-input.ts'
import type { FormState } from '../../tools/form-fields.tsx'

/** What may be shown again of a form with an error: nothing secret. */
const SHOWN = ['signature_agent', 'username', 'headers'] as const
const SECRET = ['signature', 'signature_input', 'preview_password', 'password'] as const

/** The fields of the form, as `typedForm` needs them. */
export const ACCESS_FIELDS = {
  shown: ['signature_agent', 'username'],
  secret: [...SECRET, 'headers'],
} as const

type Name = (typeof SHOWN)[number] | (typeof SECRET)[number]

export interface AccessForm extends FormState<Name> {
  /** What is wrong with it as a whole. */
  problem: string | null
}

/** What Shopify asks for in this header (help.shopify.com, Crawling your store). */
const SHOPIFY_AGENT = '"https://shopify.com"'

const emptyValues = (agent: string, username: string): Record<Name, string> => ({
  signature: '',
  signature_input: '',
  signature_agent: agent,
  preview_password: '',
  username,
  password: '',
  headers: '',
})

export const EMPTY_ACCESS_FORM: AccessForm = {
  values: emptyValues(SHOPIFY_AGENT, ''),
  errors: {},
  problem: null,
}

/** Which field of the form an error of what was given belongs to. */
const FIELD_OF: [path: RegExp, name: Name][] = [
  [/^headers\.signature-input$/i, 'signature_input'],
  [/^headers\.signature$/i, 'signature'],
  [/^headers\.signature-agent$/i, 'signature_agent'],
  [/^headers/i, 'headers'],
  [/^preview_password/, 'preview_password'],
  [/^basic_auth\.username/, 'username'],
  [/^basic_auth/, 'password'],
]

/** What the form gives, or the form again with what is wrong. Secrets are never in it. */
export function readAccessForm(
  get: (name: Name) => string,
  now: Date,
): { given: NewSiteAccess } | { form: AccessForm } {
  const value = (name: Name) => get(name).trim()
  const [agent, username] = [value('signature_agent'), value('username')]
  const wrong = (errors: AccessForm['errors'], problem: string | null = null) => ({
    form: { values: emptyValues(agent, username), errors, problem },
  })
  const lines = value('headers')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const read = readHeaderLines(lines)
  if ('problem' in read) return wrong({ headers: read.problem })
  const [signature, input] = [value('signature'), value('signature_input')]
  const isSigned = signature !== '' || input !== ''
  const headers = {
    ...read.headers,
    ...(signature !== '' && { Signature: signature }),
    ...(input !== '' && { 'Signature-Input': input }),
    ...(isSigned && agent !== '' && { 'Signature-Agent': agent }),
  }
  // A password may begin or end with a space.
  const [preview, password] = [get('preview_password'), get('password')]
  const parsed = NewSiteAccess.safeParse({
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(preview !== '' && { preview_password: preview }),
    ...((username !== '' || password !== '') && { basic_auth: { username, password } }),
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.map(String).join('.') ?? ''
    const [, name] = FIELD_OF.find(([paths]) => paths.test(path)) ?? []
    const message = issue?.message ?? 'This cannot be read.'
    return name === undefined
      ? wrong({}, 'Fill in one of the three.')
      : wrong({ [name]: name === 'username' && username === '' ? 'Enter the user name.' : message })
  }
  const endsAt = endOfHeaders(headers)
  return endsAt !== null && endsAt <= now
    ? wrong({ signature_input: 'This signature has ended. Make a new one.' })
    : { given: parsed.data }
}
