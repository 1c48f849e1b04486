import type { AcpSeen } from '../../evidence.ts'
import { type Rule, type RuleDefinition, rule, type Verdict } from '../../rule.ts'

type Words = Pick<
  RuleDefinition<'acp'>,
  'passed' | 'lostWith' | 'severity' | 'label' | 'fix' | 'authority'
> & {
  gap: string
}

/** All rules of this check read what ACP answered alone; no tool of ours fixes it. */
export const acpRule = (words: Words, audit: (acp: AcpSeen) => Verdict): Rule =>
  rule({ ...words, check: 'acp', tool: null, reads: ['acp'], audit: ({ acp }) => audit(acp) })
