import { ApiError } from './api-error.ts'

// Our packages for stores say their version in the User-Agent. Fields are only ever added, so an
// old one works on; a release that has to end one raises this.
/** The oldest version of `aisle-node` and the plugins whose events mean what ours mean. */
export const OLDEST_CLIENT = '0.1.0'

const OURS = /^(aisle-[a-z]+)\/(\d+\.\d+\.\d+)/

/** Throws 426 for a package of ours that is too old; what other clients send is their own. */
export function refuseOldClient(userAgent: string | undefined): void {
  if (userAgent?.startsWith('aisle-') !== true) return
  const [, name, version] = OURS.exec(userAgent) ?? []
  if (version === undefined || isAtLeast(version, OLDEST_CLIENT)) return
  throw new ApiError(
    426,
    'client_too_old',
    `${name} ${version} is too old for this service. Update it to ${OLDEST_CLIENT} or later, and send this again.`,
  )
}

const isAtLeast = (version: string, oldest: string): boolean =>
  version.localeCompare(oldest, 'en', { numeric: true }) >= 0
