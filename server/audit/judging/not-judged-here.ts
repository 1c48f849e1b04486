import { ApiError, RETRY_SOON } from '../../http/api-error.ts'

/** Our machine could not judge what the store answered: it says nothing about the store. */
export const notJudgedHere = (exceeded: string) =>
  new ApiError(
    503,
    'busy',
    `What this store answered could not be judged here, because ${exceeded}. Try again.`,
    RETRY_SOON,
  )
