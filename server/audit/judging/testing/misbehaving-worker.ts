import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { answerTasks } from '../answer-tasks.ts'

// A worker in which reading a page does what its address says; all else is done as ever.
if (parentPort) {
  answerTasks(parentPort, (sent) => {
    if (sent.task !== 'page') return
    const { url } = sent.input
    if (url === 'https://loop.example/') for (;;);
    if (url === 'https://wait.example/')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (url === 'https://throw.example/') throw new Error('thrown')
    if (url === 'https://exit.example/') process.exit(7)
    if (url === 'https://young.example/' && heapMegabytes() > MOST_MEGABYTES)
      throw new Error('too many')
    if (url !== 'https://memory.example/') return
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, Math.random))
  })
}

/**
 * The 36 MB that `judges.ts` allows for old objects, and three times 8 MB for young ones
 * (src/heap/heap.cc, `YoungGenerationSizeFromSemiSpaceSize`). By V8's own setting they would be
 * 132, by that of these tests 228.
 */
const MOST_MEGABYTES = 62

/** What V8 lets the heap of this worker become. */
const heapMegabytes = (): number => getHeapStatistics().heap_size_limit / 2 ** 20
