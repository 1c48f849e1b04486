import type { Fetched } from '../../../../web/http/fetched.ts'

/**
 * Whether an answer turns the caller away, independent of what was asked. 429 may be chance: it is not counted.
 */
export const isShut = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' && (fetched.status === 401 || fetched.status === 403)
