import { caught } from './caught.ts'

/** Calls each until it does not throw: one may come before this script, or up to 50 s after it. */
export function tellAll(tells: readonly (() => unknown)[], wait: number): void {
  if (wait < 1e5) setTimeout(tellAll, wait, tells.filter(caught), wait * 2)
}
