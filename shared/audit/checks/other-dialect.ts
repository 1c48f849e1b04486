import type { JsonSeen } from '../../web/http/fetched.ts'
import { inOtherDialect, notApplicable, type Verdict } from '../rule.ts'

/** Why an endpoint of the specification was not asked in a store with an official profile. */
export const OFFICIAL_PROFILE =
  'the manifest is an official UCP profile, whose services are checked separately'

/** Why the catalog of an official profile was not asked: two versions of UCP have none. */
export const OLDER_VERSION = 'the profile is of a version of UCP that has no catalog'

/** Why a rule about a checkout is open where there is no dry run. */
export const NEEDS_SESSION =
  'it shows only in a checkout session, and an audit opens none: official UCP has no dry run'

/** Rules on the specification's endpoints say nothing of a store that speaks official UCP. */
export const otherDialect = ({ fetched }: JsonSeen): Verdict | null =>
  fetched.kind !== 'not_asked'
    ? null
    : fetched.reason === OFFICIAL_PROFILE
      ? inOtherDialect(OFFICIAL_PROFILE)
      : fetched.reason === OLDER_VERSION
        ? notApplicable(OLDER_VERSION)
        : null
