import { rulesOf } from '../../checks/index.ts'
import { DEFAULT_CHECKS } from '../../vocabulary.ts'
import { judgedIn } from '../compare.ts'
import { ENGINE_VERSION } from '../result.ts'

/** `judgedIn` of an audit in which every rule passed. */
export const JUDGED_ALL = judgedIn({
  engine_version: ENGINE_VERSION,
  checks: DEFAULT_CHECKS,
  gaps: [],
  passed: rulesOf(DEFAULT_CHECKS).map(({ passed }) => passed),
  skipped: [],
})
