import {
  INTENT_IDS,
  type IntentId,
  intentsOf,
  type WalkMode,
} from '../../../../shared/walk/intents.ts'
import { WalkRequest } from '../../../../shared/walk/walk-request.ts'
import type { WalkOrder } from '../../../audit/walk/order.ts'

type WalkFormField =
  | 'intents'
  | 'product_url'
  | 'token'
  | 'declined'
  | 'challenged'
  | 'agent_key'
  | 'item'

/** The names that the form sends. */
export const WALK_FIELDS = {
  shown: ['domain', 'intent', 'item', 'mode', 'pages', 'product_url'],
  secret: ['token', 'declined', 'challenged', 'agent_key'],
}

/** What the form shows. Tokens are never shown again, as they are never kept. */
export interface WalkFormState {
  intents: readonly IntentId[]
  mode: WalkMode
  item: string
  /** A browser walks through the pages as well. */
  pages: boolean
  productUrl: string
  errors: Partial<Record<WalkFormField, string>>
  /** Why no walk was started although the form is valid. */
  refusal?: string
}

/** Everything that can be tried without paying. */
export const START: WalkFormState = {
  intents: intentsOf('look'),
  mode: 'look',
  item: '',
  pages: false,
  productUrl: '',
  errors: {},
}

const text = (form: URLSearchParams, name: string): string | undefined => {
  const value = form.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}

/** The sent form with its errors, and what it asks for; null if there are errors. */
export function readWalkForm(
  form: URLSearchParams,
  domain: string,
): { state: WalkFormState; order: WalkOrder | null } {
  const mode: WalkMode = form.get('mode') === 'sandbox' ? 'sandbox' : 'look'
  const chosen = form.getAll('intent')
  const intents = INTENT_IDS.filter((id) => chosen.includes(id))
  const ids = intentsOf(mode).filter((id) => chosen.includes(id))
  const errors: WalkFormState['errors'] = {}
  if (ids.length === 0) {
    errors.intents =
      intents.length === 0
        ? 'Choose at least one purchase.'
        : 'These purchases have to be paid. Choose the sandbox, or another purchase.'
  }
  const good = text(form, 'token')
  if (mode === 'sandbox' && good === undefined) {
    errors.token = 'Enter a token of your test account, or choose not to pay.'
  }
  const payment = {
    good,
    declined: text(form, 'declined'),
    challenged: text(form, 'challenged'),
  }
  const agent_key = text(form, 'agent_key')
  const item = text(form, 'item')
  const pages = form.get('pages') === 'yes'
  const productUrl = text(form, 'product_url')
  // Validated as by the API: a secret in another form could not be masked in a transcript.
  const read = WalkRequest.safeParse({
    domain,
    mode,
    intents: ids,
    item,
    ...(pages && { pages, product_url: productUrl }),
    agent_key,
    ...(mode === 'sandbox' && { payment }),
  })
  for (const { path, message } of read.error?.issues ?? []) {
    const field = FIELD_OF[path.join('.')]
    if (field !== undefined) errors[field] ??= message
  }
  const state = { intents, mode, item: item ?? '', pages, productUrl: productUrl ?? '', errors }
  if (!read.success || Object.keys(errors).length > 0) return { state, order: null }
  const { payment: tokens, agent_key: agentKey } = read.data
  return {
    state,
    order: {
      domain,
      mode,
      intents: ids,
      ...(tokens !== undefined && { tokens }),
      ...(agentKey !== undefined && { agentKey }),
      ...(item !== undefined && { item }),
      ...(pages && { pages: productUrl === undefined ? {} : { url: productUrl } }),
    },
  }
}

/** The form's field for an error of the API. */
const FIELD_OF: Readonly<Record<string, WalkFormField>> = {
  intents: 'intents',
  'payment.good': 'token',
  'payment.declined': 'declined',
  'payment.challenged': 'challenged',
  agent_key: 'agent_key',
  item: 'item',
  product_url: 'product_url',
}
