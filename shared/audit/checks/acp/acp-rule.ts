import type { AcpSeen } from '../../evidence.ts'
import { type Rule, type RuleDefinition, rule, type Verdict } from '../../rule.ts'

/** All rules of this check read only what ACP answered; none of our tools fixes it. */
export const acpRule = (
  about: Pick<RuleDefinition<'acp'>, 'id' | 'lostWith' | 'authority'>,
  audit: (acp: AcpSeen) => Verdict,
): Rule =>
  rule({ ...about, check: 'acp', tool: null, reads: ['acp'], audit: ({ acp }) => audit(acp) })
