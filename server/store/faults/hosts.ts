import type { Overrides } from '../http/store-request.ts'
import { FAULTS } from './faults.ts'
import { LEVELS } from './levels.ts'
import { VARIANTS } from './variants.ts'

const BY_NAME = new Map(FAULTS.map(({ fault, overrides }) => [fault, overrides]))
const HOSTS = new Map([
  ...FAULTS.map(({ fault, overrides }) => [fault, [overrides]] as const),
  ...Object.entries(VARIANTS).map(([name, overrides]) => [name, [overrides]] as const),
  ...Object.entries(LEVELS).map(([level, faults]) => [level, namedFaults(faults)] as const),
])

/** What a host is named after: `catalog-empty.example` and `www.catalog-empty.example` alike. */
const labelOf = (hostname: string): string =>
  /^(?:www\.)?([a-z0-9-]+)\.example$/.exec(hostname)?.[1] ?? ''

/** The faults of the fault or level that a host is named after; none for any other host. */
export function faultsOfHost(hostname: string): readonly Overrides[] {
  return HOSTS.get(labelOf(hostname)) ?? []
}

/** Whether one of the patterns names a host; `*.example` stands for every name below `example`. */
export const isNamed = (host: string, patterns: readonly string[]): boolean =>
  patterns.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))

/**
 * Whether a host speaks official UCP: `ucp.example` and all `ucp-….example` do, a host with another
 * fault never does, and the others as the store is configured.
 */
export function speaksOfficial(hostname: string, otherwise: boolean): boolean {
  const label = labelOf(hostname)
  return label === 'ucp' || label.startsWith('ucp-') || (otherwise && !HOSTS.has(label))
}

/**
 * The headers of a webhook, as the shop of its order has them; `everywhere` names faults of all.
 */
export function webhookHeadersAt(
  everywhere: readonly string[],
): (host: string, right: Record<string, string>) => Record<string, string> {
  const faults = namedFaults(everywhere)
  return (host, right) =>
    [...faults, ...faultsOfHost(new URL(`https://${host}`).hostname)].reduce(
      (headers, { webhookHeaders }) => webhookHeaders?.(headers) ?? headers,
      right,
    )
}

/** Throws, with what to do, when a name is not that of a fault. */
export function namedFaults(names: readonly string[]): readonly Overrides[] {
  return names.map((name) => {
    const overrides = BY_NAME.get(name)
    if (overrides !== undefined) return overrides
    throw new Error(`Unknown fault "${name}". To list all faults, run aisle store faults.`)
  })
}
