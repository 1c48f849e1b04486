import { OpenAPIHono } from '@hono/zod-openapi'
import { GAP_RULES } from '../../shared/audit/checks/index.ts'
import { type GapRecord, gapRecordOf } from '../../shared/audit/gap/record.ts'
import { ENGINE_VERSION } from '../../shared/audit/result/result.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepText } from '../http/kept-text.ts'

/** What `/gaps.json` answers. */
interface GapsDocument {
  /** The version of the rules: results name the one that they were made by. */
  engine_version: string
  gaps: (GapRecord & { page_url: string })[]
}

/** `GET /gaps.json`: every rule for programs, for anyone and any cache. */
export function gapsJsonRoutes({ baseUrl }: { baseUrl: string }) {
  const document: GapsDocument = {
    engine_version: ENGINE_VERSION,
    gaps: GAP_RULES.map((rule) => ({
      ...gapRecordOf(rule),
      page_url: `${baseUrl}/gaps/${rule.gap}`,
    })),
  }
  const kept = keepText(JSON.stringify(document))
  const app = new OpenAPIHono<ServerEnv>()
  app.get('/gaps.json', (c) =>
    answerKept(c, kept, {
      ...KEPT_SHORTLY,
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
    }),
  )
  return app
}
