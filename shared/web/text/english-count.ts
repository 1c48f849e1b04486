/**
 * A whole number as English writes it: 12,345. The same as `toLocaleString('en')`, whose first call
 * loads tables for 10 to 20 ms of CPU: a command lives for half a second.
 */
export const englishCount = (count: number): string =>
  Number.isSafeInteger(count)
    ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : count.toLocaleString('en')

/** A count with its noun, whose plural ends in s: `1 gap`, `3 gaps`. */
export const counted = (count: number, noun: string): string =>
  `${englishCount(count)} ${noun}${count === 1 ? '' : 's'}`
