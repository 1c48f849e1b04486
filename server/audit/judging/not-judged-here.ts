import { ApiError, RETRY_SOON } from '../../http/api-error.ts'
import type { AuditSession } from '../probe/session.ts'

/** What was seen is nothing to conclude from: this machine had too little time to read it. */
export function demandRead({ starved }: Pick<AuditSession, 'starved'>): void {
  const exceeded = starved()
  if (exceeded !== null) throw notJudgedHere(exceeded)
}

/** Our machine could not judge what the store answered: it says nothing about the store. */
export const notJudgedHere = (exceeded: string) =>
  new ApiError(
    503,
    'busy',
    `What this store answered could not be judged here, because ${exceeded}. Try again.`,
    RETRY_SOON,
  )
