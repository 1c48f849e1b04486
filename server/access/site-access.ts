import { DAY_MS } from '../../shared/web/moment.ts'
import {
  ACCESS_ENDING_DAYS,
  type AccessKind,
  type SiteAccess,
} from '../../shared/web/site-access.ts'
import type { ApiKey } from '../db/access/keys.ts'
import { type AccessRow, deleteAccess, findAccess, saveAccess } from '../db/access/site-access.ts'
import type { Db } from '../db/connect.ts'
import { NoSecretsKey, type Sealer } from '../db/sealing/seal.ts'
import { ApiError } from '../http/api-error.ts'
import { coveredBy, namesDomain } from './covered-domains.ts'
import { endOfHeaders, NewSiteAccess } from './site-access-input.ts'

/** What an owner gave for a site, ready to be sent. `given` is null where it cannot be read. */
export interface OwnerAccess {
  domain: string
  given: NewSiteAccess | null
  kinds: readonly AccessKind[]
  /** When its headers end. */
  endsAt: Date | null
}

/** What owners give for their sites, kept sealed. */
export interface SiteAccesses {
  /** As it may be shown; null where nothing is given. */
  show: (domain: string) => Promise<SiteAccess | null>
  /**
   * Replaces what was given before. Throws 409 where this service keeps no secrets, and 422 where
   * the headers have ended (`ApiError`).
   */
  give: (domain: string, given: NewSiteAccess, key: Pick<ApiKey, 'id'>) => Promise<SiteAccess>
  /** False where nothing was given. */
  takeBack: (domain: string) => Promise<boolean>
  /** For who asks in the owner's name; null where nothing is given. */
  open: (domain: string) => Promise<OwnerAccess | null>
}

/**
 * The name under which a site's access is kept: the same with or without `www.`, where both are one
 * owner's.
 */
const siteName = (domain: string): string => {
  const names = coveredBy([domain])
  return names.find((name) => !name.startsWith('www.')) ?? domain
}

const aboutRow = (site: string) => `site_access ${site}`

export function createSiteAccesses({
  db,
  now,
  sealer,
}: {
  db: Db
  now: () => Date
  sealer: Sealer
}): SiteAccesses {
  const openRow = async (row: AccessRow): Promise<NewSiteAccess | null> => {
    const text = await sealer.unseal(row.sealed, aboutRow(row.domain))
    return text === null ? null : asGiven(text)
  }
  const shown = (row: AccessRow, isReadable: boolean): SiteAccess => ({
    domain: row.domain,
    kinds: row.kinds,
    headers: row.header_names,
    set_at: row.set_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
    state: isReadable ? stateAt(row.ends_at, now()) : 'unreadable',
  })
  return {
    async show(domain) {
      const row = await findAccess(db, siteName(domain))
      return row && shown(row, (await openRow(row)) !== null)
    },
    async give(domain, given, key) {
      const site = siteName(domain)
      const { headers = {}, preview_password, basic_auth } = given
      const endsAt = endOfHeaders(headers)
      if (stateAt(endsAt, now()) === 'ended') throw alreadyEnded(endsAt)
      const names = Object.keys(headers)
      const row: AccessRow = {
        domain: site,
        kinds: [
          ...(names.length > 0 ? ['headers' as const] : []),
          ...(preview_password === undefined ? [] : ['preview_password' as const]),
          ...(basic_auth === undefined ? [] : ['basic_auth' as const]),
        ],
        header_names: names,
        sealed: await sealer.seal(JSON.stringify(given), aboutRow(site)).catch((error) => {
          throw error instanceof NoSecretsKey ? noSecretsKey() : error
        }),
        key_id: key.id,
        set_at: now(),
        ends_at: endsAt,
      }
      await saveAccess(db, row)
      return shown(row, true)
    },
    takeBack: (domain) => deleteAccess(db, siteName(domain)),
    async open(domain) {
      const row = await findAccess(db, siteName(domain))
      if (row === null) return null
      return { domain, given: await openRow(row), kinds: row.kinds, endsAt: row.ends_at }
    },
  }
}

/** Only `give` writes it. */
const asGiven = (text: string): NewSiteAccess => NewSiteAccess.parse(JSON.parse(text))

function stateAt(endsAt: Date | null, now: Date): SiteAccess['state'] {
  const left = endsAt === null ? Number.POSITIVE_INFINITY : endsAt.getTime() - now.getTime()
  if (left <= 0) return 'ended'
  return left <= ACCESS_ENDING_DAYS * DAY_MS ? 'ending' : 'valid'
}

const alreadyEnded = (endsAt: Date | null) =>
  new ApiError(
    422,
    'invalid_request',
    `The signature ended on ${endsAt?.toISOString()}. Make a new one, and give its headers.`,
    {
      details: [
        {
          field: 'headers.Signature-Input',
          code: 'invalid',
          message: 'Its `expires` is over. Make a new signature.',
        },
      ],
    },
  )

const noSecretsKey = () =>
  new ApiError(
    409,
    'no_secrets_key',
    'This service has no key to keep secrets with, and cannot make one. Its operator has to set SECRETS_KEY.',
  )

/** What was given for a domain, for a caller whose key names it: `*` names none. */
export const accessOf = async (
  accesses: Pick<SiteAccesses, 'open'>,
  domains: readonly string[],
  domain: string,
): Promise<OwnerAccess | null> => (namesDomain(domains, domain) ? accesses.open(domain) : null)
