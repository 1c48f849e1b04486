import type { FetchPurpose } from '../surfaces.ts'

/** What a person waits for, or has an agent do: the reads that may become a click or an order. */
export const FOR_A_PERSON = ['answer', 'action'] as const satisfies readonly FetchPurpose[]

// Unspecified: a challenge is answered with 200, 202, 403, 405 or 429. It counts as a refusal, and
// is kept in the place of its status.
/** Stands for an answer by which a firewall asks for proof of a person: a CAPTCHA, a script. */
export const CHALLENGED = 1

/** Statuses by which a server refuses, and by which it says that there is no such page. */
export const REFUSED_STATUSES = [401, 403, 429, CHALLENGED] as const
export const MISSING_STATUSES = [404, 410] as const

/** Stands for the images, styles and scripts that pages load, and for what has no path. */
export const ASSETS = '*'

/** Stands for all paths of a day that are over its bound. */
export const OVER = ''

/** How late a line may come: what is noted of lines, so that each counts once, goes after that. */
export const LATE_DAYS = 92
