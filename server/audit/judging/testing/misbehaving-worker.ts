import { getHeapSpaceStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { answerTasks } from '../answer-tasks.ts'

// A worker in which reading a page does what its address says; all else is done as ever.
if (parentPort) {
  answerTasks(parentPort, (sent) => {
    if (sent.task !== 'page') return
    const { url } = sent.input
    if (url === 'https://loop.example/') for (;;);
    if (url === 'https://throw.example/') throw new Error('thrown')
    if (url === 'https://exit.example/') process.exit(7)
    if (url === 'https://young.example/' && youngMegabytes() > FEW) throw new Error('too many')
    if (url !== 'https://memory.example/') return
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, Math.random))
  })
}

/**
 * Two halves of 2 MB, and as much again: while it marks, V8 may let them grow beyond what is set
 * (src/heap/new-spaces.cc, `IsNewSpaceAllowedToGrowAboveTargetCapacity`). By V8's own setting they come to 16.
 */
const FEW = 8

/** How large the space for young objects becomes while many are made, of which a part is kept. */
function youngMegabytes(): number {
  const kept: object[] = []
  let most = 0
  for (let n = 0; n < 1_000_000; n += 1) {
    kept[n % 50_000] = { n }
    if (n % 10_000 > 0) continue
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    most = Math.max(most, young?.space_size ?? 0)
  }
  return most / 2 ** 20
}
