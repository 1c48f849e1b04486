import { caught } from './page.ts'

/** Calls each until it succeeds: a product may load before this script, or up to 50 s after it. */
export const tellAll = (tells: readonly (() => unknown)[], wait: number): void => {
  if (wait < 1e5) setTimeout(tellAll, wait, tells.filter(caught), wait * 2)
}
