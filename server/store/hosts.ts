import { FAULTS } from './faults.ts'
import type { Twists } from './visit.ts'

const BY_NAME = new Map(FAULTS.map(({ fault, twists }) => [fault, twists]))

/** What a host is named after: `catalog-empty.example` and `www.catalog-empty.example` alike. */
export function faultsOfHost(hostname: string): readonly Twists[] {
  const label = /^(?:www\.)?([a-z0-9-]+)\.example$/.exec(hostname)?.[1] ?? ''
  const twists = BY_NAME.get(label)
  return twists === undefined ? [] : [twists]
}

/** Throws, with what to do, when one of the names is no fault. */
export function namedFaults(names: readonly string[]): readonly Twists[] {
  return names.map((name) => {
    const twists = BY_NAME.get(name)
    if (twists !== undefined) return twists
    throw new Error(`There is no fault "${name}": npx aisle store faults lists them.`)
  })
}
