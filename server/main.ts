import { findBrowser } from './audit/browser/browser.ts'
import { createEngine } from './audit/engine.ts'
import { createJudges } from './audit/judging/judges.ts'
import { helpersGiveWay } from './audit/judging/priority.ts'
import { readConfig } from './config.ts'
import { createClock } from './db/connection/clock.ts'
import { createSigner } from './signatures/signer.ts'
import { runService } from './start/run.ts'
import { serveApi } from './start/serve.ts'

helpersGiveWay()
const clock = createClock()

await runService(process.env, async (log, signal) => {
  const config = readConfig(process.env)
  const judges = createJudges({
    onFailed: (err, task) => log.error({ err, task }, 'a document could not be read or judged'),
  })
  const signer = createSigner(config.baseUrl, clock.now)
  const engine = createEngine(
    { ...config, signer, browserPath: findBrowser(config.browser) },
    clock.now,
    judges,
  )
  return serveApi(config, { ...engine, signer, clock, log }, signal)
})
