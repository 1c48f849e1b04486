import { GAP_RULES } from '../checks/index.ts'

/** What is known of a stored audit: which gaps were open, and which passes there were. */
export interface JudgedAudit {
  id: string
  /** Such as `2026-11-30`, in the zone of the store. */
  day: string
  engine_version: string
  score: number
  gaps: readonly string[]
  passed: readonly string[]
}

/** Gaps that one audit found and a later one saw gone. */
export interface Fixed {
  gaps: string[]
  /** The last audit that had them. */
  open: Pick<JudgedAudit, 'id' | 'day'>
  /** The day of the first audit after it that saw them gone. */
  gone: string
  /** Of these two audits. */
  scores: { before: number; after: number }
  /** The last day on which they were seen not to be there before; null where that is not known. */
  wellBefore: string | null
}

/**
 * The gaps that are gone since some audit of one engine, oldest audits first. Gaps of attribution
 * are left out: what they hide is not sold less, only not counted.
 */
export function fixesIn(audits: readonly JudgedAudit[]): Fixed[] {
  const fixes = new Map<string, Fixed>()
  for (const { gap, passed, check } of GAP_RULES) {
    if (check === 'attribution') continue
    const found = fixOf(audits, gap, passed)
    if (found === null) continue
    const { open, gone, wellBefore } = found
    const key = [open.id, gone.day, wellBefore].join(' ')
    const { id, day } = open
    const scores = { before: open.score, after: gone.score }
    const fix = fixes.get(key) ?? {
      gaps: [],
      open: { id, day },
      gone: gone.day,
      scores,
      wellBefore,
    }
    if (!fix.gaps.includes(gap)) fix.gaps.push(gap)
    fixes.set(key, fix)
  }
  return [...fixes.values()].toSorted((a, b) => (a.gone < b.gone ? 1 : -1))
}

function fixOf(audits: readonly JudgedAudit[], gap: string, passed: string) {
  let open: JudgedAudit | null = null
  let gone: JudgedAudit | null = null
  let [well, wellBefore]: (string | null)[] = [null, null]
  for (const audit of audits) {
    if (audit.gaps.includes(gap)) {
      if (open === null || gone !== null) wellBefore = well
      open = audit
      gone = null
    } else if (audit.passed.includes(passed)) {
      well = audit.day
      gone ??= open === null ? null : audit
    }
  }
  if (open === null || gone === null || open.engine_version !== gone.engine_version) return null
  return { open, gone, wellBefore: wellBefore ?? null }
}
