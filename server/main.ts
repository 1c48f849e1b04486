import { createEngine } from './audit/engine.ts'
import { readConfig } from './config.ts'
import { createClock } from './db/clock.ts'
import { createLog } from './log.ts'
import { runService } from './run.ts'
import { serveApi } from './serve.ts'

const log = createLog()
const clock = createClock()

await runService(log, process.env, async (signal) => {
  const config = readConfig(process.env)
  return serveApi(config, { ...createEngine(config, clock.now), clock, log }, signal)
})
