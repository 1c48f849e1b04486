import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { GAP_RULES } from '../../shared/audit/checks/index.ts'
import { NO_LINKS, toResult } from '../../shared/audit/result/result.ts'
import { pass, type Rule, runRules } from '../../shared/audit/rule.ts'
import { validateDocument } from '../audit/validate-manifest.ts'
import { createGate, pretendStore } from '../audit/walk/testing/pretend-store.ts'
import { readConfig } from '../config.ts'
import { createClock } from '../db/connection/clock.ts'
import { NO_LOAD } from '../ops/testing/no-load.ts'
import { runService } from '../start/run.ts'
import { serveApi } from '../start/serve.ts'

// The service as main.ts runs it, except for the engine: audits take a while, walks do not end by
// themselves, and neither touches the network. An audit of `late.example` lasts until the process
// is stopped. Its one argument is the environment, as JSON.

const AUDIT_MS = 20

const RULES = [1, 2, 3]
  .flatMap((copy) =>
    GAP_RULES.map(
      (each): Rule => ({
        ...each,
        passed: `${each.passed}_${copy}`,
        judge: () => pass('evidence '.repeat(8)),
      }),
    ),
  )
  .slice(0, 500)

const clock = createClock()
const told = once(process, 'SIGTERM')

const env = JSON.parse(process.argv[2] ?? '{}')

await runService(env, (log, signal) =>
  serveApi(
    readConfig(env),
    {
      audit: async ({ domain, checks }) => {
        if (domain === 'late.example') await told
        await sleep(AUDIT_MS)
        const result = toResult(domain, checks, runRules(RULES, {}), clock.now(), NO_LINKS)
        return { result, titles: [], answers: {} }
      },
      validateManifest: async () => validateDocument({}),
      readEvidence: async () => ({}),
      checkFeed: async () => ({ problem: 'No network.' }),
      localShops: null,
      hereOf: () => null,
      readPage: async () => ({ fetched: { kind: 'not_asked', reason: 'no network' }, page: null }),
      load: () => NO_LOAD,
      ...pretendStore(createGate()),
      clock,
      log,
    },
    signal,
  ),
)
