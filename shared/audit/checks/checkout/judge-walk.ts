import { EXPECTATIONS, type Expectation } from '../../../walk/expectations.ts'
import type { WalkSeen } from '../../../walk/seen.ts'
import { gap, notApplicable, notLookedAt, pass, type Rule, skip, type Verdict } from '../../rule.ts'

/** Why a rule that only a walk can judge does not apply where none was made. */
const NO_WALK = 'only a walk shows it, and none was made'

/**
 * What a walk says of a gap: the first purchase that a store stopped in this way, or that none did.
 * Null where no walk was made, or it came to nothing that shows it.
 */
export function judgeWalk(walk: WalkSeen | null | undefined, id: string): Verdict | null {
  if (walk === null || walk === undefined) return null
  const judged = walk.judged.filter(({ expectation, protocol }) =>
    EXPECTATIONS.some((each) => each.id === expectation && each.gaps[protocol] === id),
  )
  const failures = judged.flatMap(({ failure, label }) =>
    failure?.party === 'store' ? [{ ...failure, label }] : [],
  )
  const [first] = failures
  if (first !== undefined) {
    const others = new Set(failures.slice(1).map(({ label }) => label))
    others.delete(first.label)
    const also = others.size === 0 ? '' : ` The same over ${[...others].join(', ')}.`
    return gap(`${first.label}, "${first.intent}", at "${first.step}": ${first.found}${also}`)
  }
  const held = judged.filter((each) => each.held)
  return held.length === 0
    ? null
    : pass(`walked over ${[...new Set(held.map(({ label }) => label))].join(', ')}`)
}

/** The same for a rule that nothing but a walk can judge. */
export function judgeWalkAlone(walk: WalkSeen | null, id: string): Verdict {
  if (walk === null) return notLookedAt(NO_WALK)
  const verdict = judgeWalk(walk, id)
  if (verdict !== null) return verdict
  if (walk.mode === 'look' && needsPayment(id)) {
    return notLookedAt('only a walk that pays shows it')
  }
  return walk.whole
    ? notApplicable('no purchase over what the store speaks could show it')
    : skip('the walk did not get that far')
}

/** Whether only a walk that pays can show a gap. */
export const needsPayment = (id: string): boolean =>
  expectationsOf(id).every(({ mode }) => mode === 'sandbox')

/** Whether a rule reads nothing but walks. */
export const isShownOnlyByWalk = ({ reads }: Pick<Rule, 'reads'>): boolean =>
  reads.join() === 'walk'

/** Whether a walk can show a gap, even if other evidence shows it as well. */
export const isShownByWalk = (id: string | null): boolean => expectationsOf(id).length > 0

function expectationsOf(id: string | null): Expectation[] {
  const all: readonly Expectation[] = EXPECTATIONS
  return id === null ? [] : all.filter(({ gaps }) => gaps.ucp === id || gaps.acp === id)
}
