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
    if (url !== 'https://memory.example/') return
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, Math.random))
  })
}
