import { rulesOf } from './checks/index.ts'
import type { AuditResult } from './result.ts'
import { gradeOf, scoreOf } from './score.ts'
import type { CheckName } from './vocabulary.ts'

/**
 * What an audit by `checks` alone would have said of the same store at the same time: the part of
 * the result that is theirs, scored again. The result must cover them and be of this engine, whose
 * rules say which check a pass belongs to.
 */
export function narrowResult(result: AuditResult, checks: readonly CheckName[]): AuditResult {
  // As it is, where it was asked for the same.
  if (result.checks.join() === checks.join()) return result
  const gaps = result.gaps.filter(({ check }) => checks.includes(check))
  const passes = rulesOf(checks).filter(({ passed }) => result.passed.includes(passed))
  const { score, breakdown } = scoreOf([
    ...gaps.map(({ check, severity }) => ({ check, severity, open: true })),
    // A pass that could never have been a gap does not count.
    ...passes
      .filter(({ gap }) => gap !== null)
      .map(({ check, severity }) => ({ check, severity, open: false })),
  ])
  const notes = passes.flatMap(({ passed }) => {
    const note = result.passed_notes[passed]
    return note === undefined ? [] : [[passed, note]]
  })
  return {
    ...result,
    score,
    grade: gradeOf(score),
    gaps,
    breakdown,
    passed: passes.map(({ passed }) => passed),
    passed_notes: Object.fromEntries(notes),
    skipped: result.skipped.filter(({ check }) => checks.includes(check)),
    checks: [...checks],
  }
}
