import type { Evidence } from '../evidence.ts'
import { bounded } from '../rule.ts'
import type { CheckName } from '../vocabulary.ts'
import type { ReadinessItem, ReadinessState } from './groups.ts'

/** What was seen of one requirement. */
export type ItemSeen = Pick<ReadinessItem, 'state' | 'evidence'>

const finding =
  (state: ReadinessState) =>
  (evidence: string): ItemSeen => ({ state, evidence: bounded(evidence) })

export const inPlace = finding('yes')
export const missing = finding('no')
export const unseen = finding('unknown')

interface RequirementText extends Pick<ReadinessItem, 'id' | 'label' | 'fix'> {
  /** The vendor's page that asks for it. */
  authority: string
  /** The check that gathers its evidence; null where nothing can be seen from outside. */
  check: CheckName | null
  /** Where it is in place, the store is on its way to this surface. */
  isSign?: true
}

/** One thing that a surface needs. It is never scored. */
export interface Requirement extends RequirementText {
  /** Null where its evidence was not gathered. Never throws. */
  judge: (evidence: Partial<Evidence>) => ItemSeen | null
}

/** A requirement over the evidence that it names; as with rules, it sees nothing else. */
export function requirement<K extends keyof Evidence>({
  reads,
  judge,
  ...text
}: RequirementText & {
  reads: readonly K[]
  judge: (evidence: Pick<Evidence, K>) => ItemSeen
}): Requirement {
  const holds = (evidence: Partial<Evidence>): evidence is Pick<Evidence, K> =>
    reads.every((key) => evidence[key] !== undefined)
  return {
    ...text,
    judge: (evidence) => {
      if (!holds(evidence)) return null
      try {
        return judge(evidence)
      } catch (error) {
        // What is hostile costs its own line, as with rules.
        return unseen(`could not be judged: ${String(error)}`)
      }
    },
  }
}

/** What a surface needs, in the order in which it is shown. */
export interface ReadinessSurface {
  surface: string
  label: string
  requirements: readonly Requirement[]
}
