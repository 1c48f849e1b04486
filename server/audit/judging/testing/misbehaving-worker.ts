import { run as work } from '../worker.ts'

/** A worker whose tasks on pages do what their address says; the others are done as ever. */
export default function run({ task, input }: Parameters<typeof work<'page'>>[0]) {
  if (task === 'page' && input.url === 'https://loop.example/') for (;;);
  if (task === 'page' && input.url === 'https://memory.example/') {
    const kept: object[] = []
    for (;;) kept.push({ kept: [...kept.slice(-100)] })
  }
  if (task === 'page' && input.url === 'https://throw.example/') throw new Error('thrown')
  if (task === 'page' && input.url === 'https://exit.example/') process.exit(7)
  return work({ task, input })
}
