import { attempt } from './attempt.ts'

/** Calls each until it answers: one may come before this script, or up to 50 s after it. */
export function tellAll(tells: readonly (() => unknown)[], wait: number): void {
  const silent = tells.filter((tell) => !attempt(tell))
  if (wait < 5e4) setTimeout(tellAll, wait, silent, wait * 2)
}
