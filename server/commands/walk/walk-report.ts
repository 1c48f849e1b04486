import { expectationOf } from '../../../shared/walk/expectations.ts'
import { transcriptMarkdown } from '../../../shared/walk/export/markdown.ts'
import { nameOfIntent } from '../../../shared/walk/intents.ts'
import { type WalkJudged, walkSeenOf } from '../../../shared/walk/seen.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { outcomeCounts } from '../../../shared/walk/walk-words.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import type { ReportedFinding, Subject } from '../formats/report.ts'

/**
 * The source of each format: an unmet expectation is a finding, which counts if it is the store's
 * fault.
 */
export function walkSubject(transcript: Transcript): Subject {
  const { domain, routes, elsewhere, started_at, ended_at, stopped } = transcript
  const { judged } = walkSeenOf(transcript)
  const findings = judged.flatMap((each) => findingOf(each) ?? [])
  const store = findings.filter(({ state }) => state === 'open').length
  return {
    name: domain,
    url: `https://${domain}/`,
    source: null,
    headline:
      routes.map((route) => `${route.label}: ${outcomeCounts(route)}`).join('; ') ||
      'nothing was walked',
    score: null,
    grade: null,
    at: ended_at ?? started_at,
    findings,
    passed: judged
      .filter(({ held, failure }) => held && failure === null)
      .map(({ expectation, label }) => ({
        id: `${expectation}, ${label}`,
        title: expectationOf(expectation).expected.replace(/\.$/, ''),
      })),
    unseen: [
      ...routes.flatMap(({ label, purchases }) =>
        purchases
          .filter(({ outcome }) => outcome === 'not_walked' || outcome === 'under_way')
          .map(({ intent, why }) => ({
            id: `${intent}, ${label}`,
            title: nameOfIntent(intent),
            reason: why ?? 'It did not come to its end.',
          })),
      ),
      ...elsewhere.map(({ label, why }) => ({
        id: label,
        title: `Purchases over ${label}`,
        reason: why,
      })),
    ],
    since: null,
    failures: store === 0 ? [] : [`Purchases stop at ${counted(store, 'fault')} of the store.`],
    remarks: stopped === null ? [] : [`The walk ended early: ${stopped}`],
    markdown: transcriptMarkdown(transcript),
  }
}

function findingOf({ expectation, label, failure }: WalkJudged): ReportedFinding | null {
  if (failure === null) return null
  const { expected, fix } = expectationOf(expectation)
  const isStore = failure.party === 'store'
  return {
    id: expectation,
    which: label,
    title: expected.replace(/\.$/, ''),
    problem: `Not met: ${expected.replace(/\.$/, '')}`,
    detail: `${label}, ${failure.intent}, ${failure.step}: ${failure.found}`,
    fix,
    severity: null,
    level: isStore ? 'error' : 'warning',
    state: isStore ? 'open' : 'warned',
    why: isStore ? null : 'The store did nothing wrong here.',
    isNew: null,
    docs: null,
  }
}
