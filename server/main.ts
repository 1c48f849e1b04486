import { createEngine } from './audit/engine.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { runService } from './run.ts'
import { serveApi } from './serve.ts'

const log = createLog()
const now = () => new Date()

await runService(log, process.env, async () => {
  const config = readConfig(process.env)
  return serveApi(config, { ...createEngine(config, now), now, log })
})
