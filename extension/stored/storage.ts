import { storage } from 'wxt/utils/storage'
import type { Preset } from '../../shared/attribution/report-range.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import type { RangeValues } from '../../shared/view/form/RangeForm.tsx'
import type { PageAudit } from '../page/audit/page-audit.ts'
import { addRun, type History } from './history.ts'

// Everything stays on this machine: `local`, never `sync`, above all the key.

/** A server and the key for it; both empty without one. */
export interface Connection {
  /** Without a slash at the end. */
  url: string
  key: string
}

/** One item, so that no window ever combines the key of one server with the address of another. */
export const connection = storage.defineItem<Connection>('local:connection', {
  fallback: { url: '', key: '' },
})
export const onboarded = storage.defineItem<boolean>('local:onboarded', { fallback: false })
export const chosenView = storage.defineItem<string>('local:view', { fallback: 'page' })
export const history = storage.defineItem<History>('local:history', { fallback: {} })
/** The last audit of each page, by `pageKey`, so that closing the popup loses nothing. */
export const pageAudits = storage.defineItem<Record<string, PageAudit>>('local:page_audits', {
  fallback: {},
})
/** The last audit of a domain by a server, by `auditKey`. */
export const storeAudits = storage.defineItem<Record<string, AuditResult>>('local:store_audits', {
  fallback: {},
})

/**
 * The id of the last walk that was started, by `auditKey`. It goes on at the server when its window
 * is closed.
 */
export const startedWalks = storage.defineItem<Record<string, string>>('local:walks', {
  fallback: {},
})

/** The range of a report. If it is a preset, the preset counts, and its days follow today. */
export interface KeptRange {
  preset: Preset | null
  /** Null if none was chosen yet. */
  range: RangeValues | null
}

/**
 * Unspecified: the range of the last report is kept until the browser is closed: it survives
 * the popup, but does not surprise a week later with an old range.
 */
export const reportRange = storage.defineItem<KeptRange>('session:report_range', {
  fallback: { preset: 'last_28', range: null },
})

// Unspecified: the extension keeps 20 whole audits; older ones are a line of the history.
const MAX_KEPT = 20

/** A page's address without query and fragment: one audit is kept for a page with many queries. */
export const pageKey = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? '' : `${parsed.origin}${parsed.pathname}`
}

/** Results of one server are not shown as, or compared with, those of another. */
export const auditKey = (serverUrl: string, domain: string): string => `${serverUrl} ${domain}`

/** Rejects if storage is full. */
export const rememberPageAudit = (audit: PageAudit): Promise<void> =>
  alone(async () =>
    pageAudits.setValue(keepNewest(await pageAudits.getValue(), pageKey(audit.url), audit)),
  )

/** Keeps a server's result, and adds it to the history. Rejects if storage is full. */
export const rememberStoreAudit = (serverUrl: string, result: AuditResult): Promise<void> =>
  alone(async () => {
    const key = auditKey(serverUrl, result.domain)
    await storeAudits.setValue(keepNewest(await storeAudits.getValue(), key, result))
    await history.setValue(addRun(await history.getValue(), key, result))
  })

/** Null if the stored one is of another query, which may be another product. */
export async function lastPageAudit(url: string): Promise<PageAudit | null> {
  const kept = own(await pageAudits.getValue(), pageKey(url))
  return kept?.url === url ? kept : null
}

/** The last stored result of a server about a domain. */
export const lastStoreAudit = (
  kept: Record<string, AuditResult>,
  serverUrl: string,
  domain: string,
): AuditResult | null => own(kept, auditKey(serverUrl, domain))

/** The id of the walk that was started last. */
export const lastWalk = async (serverUrl: string, domain: string): Promise<string | null> =>
  own(await startedWalks.getValue(), auditKey(serverUrl, domain))

/** Rejects if storage is full. */
export const rememberWalk = (serverUrl: string, domain: string, id: string): Promise<void> =>
  alone(async () =>
    startedWalks.setValue(
      keepNewest(await startedWalks.getValue(), auditKey(serverUrl, domain), id),
    ),
  )

export const forgetWalk = (serverUrl: string, domain: string): Promise<void> =>
  alone(async () => {
    const { [auditKey(serverUrl, domain)]: _, ...others } = await startedWalks.getValue()
    await startedWalks.setValue(others)
  })

/** Everything in storage but the server, its key and the onboarding. */
export const forgetAudits = (): Promise<void> =>
  alone(async () => {
    await Promise.all(
      [pageAudits, storeAudits, history, startedWalks].map((item) => item.removeValue()),
    )
  })

/** Puts an entry last, and drops the oldest beyond the limit. */
export function keepNewest<T>(kept: Record<string, T>, key: string, value: T): Record<string, T> {
  const others = Object.entries(kept).filter(([name]) => name !== key)
  return Object.fromEntries([...others, [key, value] as const].slice(-MAX_KEPT))
}

const own = <T>(kept: Record<string, T>, key: string): T | null =>
  Object.hasOwn(kept, key) ? (kept[key] ?? null) : null

/**
 * Panel, popup and tab may write at the same time: each waits for the others, then reads what they
 * wrote (https://developer.mozilla.org/docs/Web/API/Web_Locks_API).
 */
const alone = (write: () => Promise<void>): Promise<void> =>
  navigator.locks.request('aisle-storage', write)
