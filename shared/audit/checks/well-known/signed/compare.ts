import type { Fetched } from '../../../../web/http/fetched.ts'

/** Whether an answer turns the caller away. 429 is not counted: it may be chance. */
export const isShut = (fetched: Fetched): boolean =>
  fetched.kind === 'answer' && (fetched.status === 401 || fetched.status === 403)
