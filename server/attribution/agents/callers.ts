import { SURFACES } from '../../../shared/attribution/surfaces.ts'
import type { Fetched } from '../../../shared/web/http/fetched.ts'
import { readRanges } from '../../db/attribution/agent-ranges.ts'
import type { Db } from '../../db/connect.ts'
import { service_nonces } from '../../db/signatures/tables.ts'
import { createDirectories } from '../../signatures/agents/directories.ts'
import { useNonce } from '../../signatures/nonces.ts'
import { createFetchVerifier, type VerifierFor } from '../fetches/verify-fetch.ts'
import type { ConfirmedNames } from './confirmed-names.ts'
import { BUILT_IN_COPIES } from './published-lists.ts'
import { type AddressVerifier, createAddressVerifier } from './verify-address.ts'
import { type ProvedCaller, type SeenCall, verifyCaller } from './verify-caller.ts'

/** Verifies whose agents call. */
export interface Callers {
  /** Rejects only if the database does. */
  verify(call: SeenCall): Promise<ProvedCaller>
  /** Looks up what it takes to verify lines of logs. Rejects only if the database does. */
  verifierFor: VerifierFor
}

interface CallersDeps {
  db: Db
  now: () => Date
  /** Asks for a key directory: a public host, no redirect, few bytes, seconds at most. */
  read: (url: string) => Promise<Fetched>
  /** Null: names of addresses prove nothing. */
  names: ConfirmedNames | null
}

// Unspecified: a list that was renewed counts at every replica within an hour.
const RANGES_MS = 3_600_000

// Unspecified: a shop may report later than it was called. What an agent signed is judged by the
// time of its event, up to an hour back: signatures are valid for minutes.
export const LATE_MS = 3_600_000

/** The hosts whose agents are of a listed surface, and Visa. */
const LISTED = new Set([
  'mcp.visa.com',
  ...SURFACES.flatMap(({ facts }) => facts.flatMap(({ signer = [] }) => signer)),
])

/** The address verifier by the lists that are held now, read again every hour. */
export function createAddressVerifiers({
  db,
  now,
}: Pick<CallersDeps, 'db' | 'now'>): () => Promise<AddressVerifier> {
  let ranges: { verify: Promise<AddressVerifier>; until: number } | null = null
  return () => {
    const at = now().getTime()
    if (ranges === null || ranges.until <= at) {
      const verify = readRanges(db).then((kept) =>
        createAddressVerifier([...BUILT_IN_COPIES, ...kept]),
      )
      ranges = { verify, until: at + RANGES_MS }
      verify.catch(() => {
        ranges = null
      })
    }
    return ranges.verify
  }
}

/** What verifies the callers of one process; directories are cached in its memory. */
export function createCallers({ db, now, read, names }: CallersDeps): Callers {
  const directories = createDirectories({
    read,
    isListed: (url) => LISTED.has(URL.parse(url)?.hostname ?? ''),
  })
  const addressVerifier = createAddressVerifiers({ db, now })
  const verify = (call: SeenCall) =>
    verifyCaller(call, {
      directories,
      useNonce: ({ until, ...nonce }, usedFor) => {
        const longer = new Date(Math.max(until.getTime(), now().getTime() + LATE_MS))
        return useNonce(db, service_nonces, { ...nonce, until: longer }, usedFor, now())
      },
      verifyAddress: async (claim) => (await addressVerifier())(claim),
    })
  return {
    verify,
    verifierFor: createFetchVerifier({ addresses: addressVerifier, names, callers: { verify } }),
  }
}
