import { expect, test } from 'vitest'
import { walkSeenOf } from '../../../shared/walk/seen.ts'
import { auditHere } from '../testing/audit-here.ts'
import { walkedStore } from '../walk/testing/walked-store.ts'
import { createWalker } from '../walk/testing/walker.ts'
import type { TaskName } from './tasks.ts'
import { starvingJudges } from './testing/starving.ts'

const { fetcher } = await walkedStore()

const whole = { ms: 60_000, onPage: () => {} }
/** An audit that asks for all there is, and the tasks that it took. */
async function audit(domain: string, hasTime: (task: TaskName) => boolean) {
  const tasks = new Set<TaskName>()
  const judges = starvingJudges((task) => {
    tasks.add(task)
    return hasTime(task)
  })
  const order = { domain, checks: ['well_known', 'catalog', 'schema', 'feed'] as const }
  const ended = await auditHere(
    { ...order, agents: true, whole },
    { fetcher, judges, pause: async () => {} },
  ).catch((error: unknown) => error)
  return { ended, tasks }
}

const TASKS = ['page', 'access', 'json', 'feed', 'catalog', 'judge'] as const

test.each([
  ['shop.example', TASKS],
  ['ucp.example', ['manifest']],
] as const)(
  'an audit of %s says nothing once the machine has no time for any of %j',
  async (domain, tasks) => {
    expect((await audit(domain, () => true)).ended).toMatchObject({ domain })
    for (const starved of tasks) {
      const { ended, tasks: taken } = await audit(domain, (task) => task !== starved)
      expect([...taken]).toContain(starved)
      expect(ended).toMatchObject({ status: 503, code: 'busy' })
    }
  },
)

test.each([0, 1, 2, 5, 10, 20])(
  'a walk that has no time after %i answers ends, and says nothing of the store',
  async (answers) => {
    const judges = starvingJudges((_, n) => n <= answers)
    const { walk } = createWalker({ fetcher, judges })
    const transcript = await walk('shop.example', 'look', ['cheapest_variant', 'po_box'])
    expect(transcript.nothing).toBeNull()
    expect(transcript.stopped).toMatch(/too busy to read what the store answered/)
    const parties = walkSeenOf(transcript).judged.map(({ failure }) => failure?.party)
    expect(parties).not.toContain('store')
  },
)
