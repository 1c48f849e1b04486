import { NoResult } from '../../shared/audit/result/no-result.ts'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { describeFetch, type NoAnswer } from '../../shared/web/http/fetched.ts'
import { identityOf } from '../audit/identity.ts'
import type { Judges } from '../audit/judging/judges.ts'
import { createJudgesAtHand } from '../audit/judging/judges-at-hand.ts'
import { createFetcher, type Fetcher } from '../audit/probe/fetch/fetch.ts'
import { type AuditSession, auditSession } from '../audit/probe/session.ts'
import { requestManifest, validateFetched, validateUrl } from '../audit/validate-manifest.ts'
import { type GivenAccess, seenWith, withAccess } from '../audit/with-access.ts'
import type { Config } from '../config.ts'
import { readGivenHeaders } from './given-headers.ts'
import { openSigner } from './signing.ts'

/** As long as the service takes for a validation. */
const VALIDATE_MS = 15_000

/**
 * Fetches a published manifest from this machine, and validates it. Rejects with `NoResult` if
 * nothing answers at the URL, like an audit. `headers` are those of `--header`.
 */
export async function validateAt(
  url: string,
  headers: readonly string[] | undefined,
  config: Config,
  now: () => Date,
): Promise<ManifestValidation> {
  const access = readGivenHeaders(headers, new URL(url).hostname)
  const { signer, close } = await openSigner(config, now)
  const { baseUrl, testHosts } = config
  const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts, signer })
  const judges = createJudgesAtHand()
  try {
    const { done, seen_with } = await withAccess(access, { fetcher, now }, (opened) =>
      inSession({ fetcher: opened, judges }, undefined, async (session) => {
        const seen = await requestManifest(session, url)
        const { fetched } = seen
        if (fetched.kind === 'no_answer' && UNANSWERED.includes(fetched.why)) {
          throw new NoResult('domain_unreachable', `${describeFetch(fetched)}.`)
        }
        return validateFetched(session, url, seen)
      }),
    )
    return seenWith(done, seen_with)
  } finally {
    await fetcher.close()
    await judges.close()
    await close()
  }
}

/** Anything else is an answer, even if it is unreadable. */
const UNANSWERED: readonly NoAnswer['why'][] = ['unreachable', 'certificate', 'timeout']

/** The same with an open network. `signal` ends it. */
export async function validateWith(
  url: string,
  { fetcher, judges, now }: Hands & { now: () => Date },
  signal?: AbortSignal,
  access?: GivenAccess,
): Promise<ManifestValidation> {
  const { done, seen_with } = await withAccess(access, { fetcher, now, signal }, (opened) =>
    inSession({ fetcher: opened, judges }, signal, (session) => validateUrl(session, url)),
  )
  return seenWith(done, seen_with)
}

interface Hands {
  fetcher: Fetcher
  judges: Judges
}

async function inSession<Done>(
  { fetcher, judges }: Hands,
  signal: AbortSignal | undefined,
  work: (session: AuditSession) => Promise<Done>,
): Promise<Done> {
  const session = fetcher.open({ deadlineMs: VALIDATE_MS, signal })
  try {
    return await work(auditSession(session, judges))
  } finally {
    await session.close()
  }
}
