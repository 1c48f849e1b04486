import { attempt } from './attempt.ts'

/** Calls each until it does not throw: one may come before this script, or up to 50 s after it. */
export function tellAll(tells: readonly (() => unknown)[], wait = 100): void {
  const missing = tells.filter((tell) => !attempt(() => [tell()]))
  if (wait < 5e4) setTimeout(() => tellAll(missing, wait * 2), wait)
}
