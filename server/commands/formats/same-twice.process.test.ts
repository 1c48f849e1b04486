import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditedStore } from './testing/audited-store.ts'

const store = await auditedStore()
const folder = await store.folderOf()
await writeFile(join(folder, 'ucp.json'), '{ "version": "1.0", "domain": "shop.example" }')

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const MOMENT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`

/** The times in each format, by their positions: nothing else is left out. */
const TIMES: Record<string, RegExp[]> = {
  sarif: [new RegExp(`(?<="endTimeUtc": ")${MOMENT}(?=")`, 'g')],
  junit: [new RegExp(`(?<= timestamp=")${MOMENT}(?=")`, 'g')],
  markdown: [new RegExp(`(?<=Walked )${MOMENT}`, 'g')],
  json: [new RegExp(`(?<="checked_at": ")${MOMENT}(?=")`, 'g')],
  // The token that GitHub requires differs in each run.
  github: [/(?<=^::stop-commands::).+$|(?<=^::)[0-9a-f-]{36}(?=::$)/gm, /(?<= )\d+ ms$/gm],
}

/**
 * A transcript records what happened, so it also has the ids of requests and checkouts, and those
 * that the buyer made up.
 */
const OF_A_TRANSCRIPT = [
  new RegExp(`(?<="(started_at|ended_at|at)": ")${MOMENT}(?=")`, 'g'),
  new RegExp(String.raw`(?<=\\"\w+_at\\":\\")${MOMENT}(?=\\")`, 'g'),
  // A page says until when it can be paid.
  new RegExp(String.raw`<time datetime=\\"${MOMENT}\\">[^<]+`, 'g'),
  /(?<="date": ")[^"]+(?=")/g,
  /(?<="ms": )\d+/g,
  UUID,
]

const without = (text: string, patterns: readonly RegExp[]) =>
  patterns.reduce((left, pattern) => left.replace(pattern, '-'), text)

const AUDIT = ['audit', 'feed-missing.example', 'shop.example', '--fail-on', 'medium']
const WALK = ['walk', 'shop.example', '--yes-open-sessions', '--intent', 'cheapest_variant']
const URL = 'https://shop.example/.well-known/ucp'

test.each(
  [AUDIT, WALK, ['validate', 'ucp.json'], ['validate', URL]].flatMap((args) =>
    Object.keys(TIMES).map((format) => ({ args, format })),
  ),
)('twice the same, byte by byte, but for times: $args as $format', async ({ args, format }) => {
  const [one, other] = await Promise.all(
    [1, 2].map(async (n) => {
      const env = args === WALK ? { DATA_DIR: join(folder, `data-${format}-${n}`) } : {}
      return await store.aisle([...args, '--format', format], folder, env)
    }),
  )
  const patterns = [
    ...(TIMES[format] ?? []),
    ...(args === WALK && format === 'json' ? OF_A_TRANSCRIPT : []),
  ]
  expect(without(other!.out, patterns)).toBe(without(one!.out, patterns))
  expect(other!.err).toBe(one!.err)
  expect(other!.code).toBe(one!.code)
  expect(one!.out.length).toBeGreaterThan(100)
})
