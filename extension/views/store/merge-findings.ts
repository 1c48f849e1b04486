import type { AuditResult, Gap } from '../../../shared/audit/result/result.ts'
import { worstFirst } from '../../../shared/audit/vocabulary.ts'
import type { PageAudit } from '../../page/audit/page-audit.ts'
import { PAGE_RULES } from '../../page/audit/page-rules.ts'

/** A gap and who found it. `note` explains why the other one did not. */
type MergedGap = Gap & { origin: 'page' | 'server' | 'both'; note?: string }

// Unspecified: each gap in the panel says whether the open page, the server or both found it, and
// why the other did not.
/** Only for what a page can show: about the rest the two cannot disagree. */
const PASSED_AS = new Map<string, string>(
  Object.values(PAGE_RULES)
    .flat()
    .flatMap(({ gap, passed }) => (gap === null ? [] : [[gap, passed] as const])),
)

/** What one audit says about a gap that the other one found. */
type Word = { is: 'open' | 'passed' | 'silent' } | { is: 'skipped'; reason: string }

function wordOn(result: AuditResult, { id, check }: Gap): Word {
  if (result.gaps.some((each) => each.id === id)) return { is: 'open' }
  const skipped = result.skipped.find((each) => each.id === id)
  if (skipped !== undefined) return { is: 'skipped', reason: skipped.reason }
  const isPassed = result.checks.includes(check) && result.passed.includes(PASSED_AS.get(id) ?? '')
  return { is: isPassed ? 'passed' : 'silent' }
}

/**
 * The findings about the open page and those about its domain as one list, worst first. If both
 * judged the same and disagree, the note says why that can be.
 */
export function mergeFindings(page: PageAudit | null, server: AuditResult): MergedGap[] {
  if (page === null) return server.gaps.map((gap) => ({ ...gap, origin: 'server' }))
  const seenHere = page.result.gaps.map((gap): MergedGap => {
    const word = wordOn(server, gap)
    const { points: _, held_back: __, cap: ___, ...seen } = gap
    if (word.is === 'open') return { ...seen, ...pointsIn(server, gap), origin: 'both' }
    return { ...seen, origin: 'page', ...noteOf(serverNote(word, page, server)) }
  })
  const here = new Set(page.result.gaps.map(({ id }) => id))
  const seenThere = server.gaps
    .filter(({ id }) => !here.has(id))
    .map((gap): MergedGap => {
      const word = wordOn(page.result, gap)
      return { ...gap, origin: 'server', ...noteOf(pageNote(word, page)) }
    })
  return [...seenHere, ...seenThere].sort(worstFirst)
}

/** The points are the store's: those of the page belong to another total. */
function pointsIn({ gaps }: AuditResult, { id }: Gap): Pick<Gap, 'points' | 'held_back' | 'cap'> {
  const { points, held_back, cap } = gaps.find((gap) => gap.id === id) ?? {}
  return points === undefined ? {} : { points, held_back, ...(cap !== undefined && { cap }) }
}

const noteOf = (note: string | null) => (note === null ? {} : { note })

function serverNote(word: Word, page: PageAudit, server: AuditResult): string | null {
  if (word.is === 'skipped') return `The server could not judge this: ${word.reason}.`
  if (word.is !== 'passed') return null
  if (!page.served.ok)
    return 'This passes on the server, which reads the HTML as it is sent. Here the page was read as your browser shows it.'
  return page.at > server.checked_at
    ? 'This passed on the server earlier, or on other pages of the store.'
    : 'This passes on the server, which reads up to five other pages of the store.'
}

function pageNote(word: Word, page: PageAudit): string | null {
  if (word.is === 'skipped') return `This cannot be judged from this page alone: ${word.reason}.`
  if (word.is !== 'passed') return null
  return page.served.ok
    ? 'It passes on this page. The server found the gap on other pages, or earlier.'
    : 'It passes on this page as your browser shows it. The server reads the HTML before any script runs.'
}
