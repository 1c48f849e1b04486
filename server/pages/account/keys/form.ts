import { DAY_MS } from '../../../../shared/web/moment.ts'
import { NewKey } from '../../../access/make-key.ts'
import type { ApiKey } from '../../../db/access/keys.ts'
import type { Scope } from '../../../db/access/scopes.ts'
import { inRequestWords } from '../../../http/validation.ts'

/** The days until a key expires; null: as long as the key that creates it. */
export const LIFETIMES = [
  ['', 'As long as your own key'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
] as const

/** What a key is for, instead of single scopes. `all`: those of the key that makes it. */
export const KEY_PURPOSES = [
  ['server', 'For the server of a store: reports orders and refunds', ['report:write']],
  [
    'plugin',
    'For a plugin in a store: reports orders, and shows score and revenue',
    ['audit', 'report:read', 'report:write'],
  ],
  [
    'reader',
    'For a person who looks after a store: audits, watches and the report',
    ['audit', 'manifest', 'report:read'],
  ],
  ['all', 'For everything that your own key may do', 'all'],
] as const satisfies readonly (readonly [string, string, readonly Scope[] | 'all'])[]

/** The scopes of a purpose; null for none of these, or where the maker has not all of them. */
export function scopesFor(purpose: string | null, own: readonly Scope[]): readonly Scope[] | null {
  const scopes = KEY_PURPOSES.find(([id]) => id === purpose)?.[2] ?? null
  if (scopes === null || scopes === 'all') return scopes && own
  return scopes.every((scope) => own.includes(scope)) ? scopes : null
}

const FIELDS = ['name', 'scopes', 'domains'] as const
type KeyField = (typeof FIELDS)[number]

/** The names that the form sends. */
export const KEY_FIELDS = [...FIELDS, 'purpose', 'days']

/** The values of the form, and its errors. */
export interface KeyFormState {
  name: string
  /** Empty: single scopes are chosen. */
  purpose: string
  scopes: readonly string[]
  domains: readonly string[]
  days: string
  errors: Partial<Record<KeyField, string>>
}

export const EMPTY_KEY: KeyFormState = {
  name: '',
  purpose: '',
  scopes: [],
  domains: [],
  days: '',
  errors: {},
}

/** The sent form, and the key that it asks for; null if there are errors. */
export function readKeyForm(
  form: URLSearchParams,
  { domains: own, scopes: has }: Pick<ApiKey, 'domains' | 'scopes'>,
  now: Date,
): { state: KeyFormState; wanted: NewKey | null } {
  // With `*` there is no list to choose from: domains are typed, one per line.
  const typed = form.getAll('domains').flatMap((text) => text.split(/[\s,]+/))
  const domains = typed.filter((text) => text !== '')
  const chosen = domains.length === 0 && own.length === 1 ? own : domains
  const state = {
    name: (form.get('name') ?? '').trim(),
    purpose: form.get('purpose') ?? '',
    scopes: scopesFor(form.get('purpose'), has) ?? form.getAll('scopes'),
    domains,
    days: LIFETIMES.some(([days]) => days === form.get('days')) ? (form.get('days') ?? '') : '',
  }
  const read = NewKey.safeParse(
    {
      name: state.name,
      scopes: state.scopes,
      domains: chosen,
      expires_at: state.days === '' ? null : new Date(now.getTime() + Number(state.days) * DAY_MS),
    },
    { error: inRequestWords },
  )
  const errors: KeyFormState['errors'] = {}
  if (state.name === '') errors.name = 'Enter a name, such as the program that will use the key.'
  if (state.scopes.length === 0) errors.scopes = 'Choose at least one thing that the key may do.'
  if (chosen.length === 0) errors.domains = 'Choose at least one domain.'
  for (const { path, message } of read.error?.issues ?? []) {
    const field = FIELDS.find((name) => name === path[0])
    if (field !== undefined) errors[field] ??= message
  }
  const isRight = read.success && Object.keys(errors).length === 0
  return { state: { ...state, errors }, wanted: isRight ? read.data : null }
}
