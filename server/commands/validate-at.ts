import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { identityOf } from '../audit/identity.ts'
import type { Judges } from '../audit/judging/judges.ts'
import { createJudgesAtHand } from '../audit/judging/judges-at-hand.ts'
import { createFetcher, type Fetcher } from '../audit/probe/fetch/fetch.ts'
import { auditSession } from '../audit/probe/session.ts'
import { validateUrl } from '../audit/validate-manifest.ts'
import type { Config } from '../config.ts'

/** As long as the service takes for it. */
const VALIDATE_MS = 15_000

/** Fetches a published manifest from this machine, and validates it. */
export async function validateAt(
  url: string,
  { baseUrl, testHosts }: Pick<Config, 'baseUrl' | 'testHosts'>,
): Promise<ManifestValidation> {
  const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts })
  const judges = createJudgesAtHand()
  try {
    return await validateWith(url, { fetcher, judges })
  } finally {
    await fetcher.close()
    await judges.close()
  }
}

/** The same with what a longer command has at hand. `signal` ends it. */
export async function validateWith(
  url: string,
  { fetcher, judges }: { fetcher: Fetcher; judges: Judges },
  signal?: AbortSignal,
): Promise<ManifestValidation> {
  const session = fetcher.open({ deadlineMs: VALIDATE_MS, signal })
  try {
    return await validateUrl(auditSession(session, judges), url)
  } finally {
    await session.close()
  }
}
