/** The versions of both official protocols are dates, such as `2026-04-08`. */
export const VERSION_DATE = /^\d{4}-\d{2}-\d{2}$/
export const VERSION_EXAMPLE = '2026-04-08'

export const isVersionDate = (value: unknown): value is string =>
  typeof value === 'string' && VERSION_DATE.test(value)

/** Whether a version was published after another one. */
export const isAfter = (version: string, other: string): boolean => version > other

interface Dated {
  version: string
  isServed: boolean
  isWalked: boolean
}

/** The versions of a protocol, and what each of them has. */
export interface Versions<Release extends Dated> {
  /** Oldest first. */
  all: Release['version'][]
  /** Those that the reference store sells in, oldest first. */
  served: Release['version'][]
  /** Those that the walk buys in, oldest first. */
  walked: Release['version'][]
  newest: Release['version']
  isKnown: (value: unknown) => value is Release['version']
  isServed: (value: unknown) => value is Release['version']
  isWalked: (value: unknown) => value is Release['version']
  /** Whether this is the date of a later version than this code knows. */
  isNewer: (value: unknown) => value is string
  of: (version: Release['version']) => Release
}

/** The versions of a protocol by their releases, oldest first. */
export function versionsOf<const Release extends Dated>(
  releases: readonly [Release, ...Release[]],
): Versions<Release> {
  const versions = (some: readonly Release[]) =>
    some.map(({ version }): Release['version'] => version)
  const all = versions(releases)
  const served = versions(releases.filter(({ isServed }) => isServed))
  const walked = versions(releases.filter(({ isWalked }) => isWalked))
  const last = releases.at(-1) ?? releases[0]
  return {
    all,
    served,
    walked,
    newest: last.version,
    isKnown: (value): value is Release['version'] => all.some((version) => version === value),
    isServed: (value): value is Release['version'] => served.some((version) => version === value),
    isWalked: (value): value is Release['version'] => walked.some((version) => version === value),
    isNewer: (value): value is string => isVersionDate(value) && isAfter(value, last.version),
    of: (version) => releases.find((each) => each.version === version) ?? last,
  }
}
