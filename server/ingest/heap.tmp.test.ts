import { test } from 'vitest'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createBatcher } from './batcher.ts'
import { readEvent } from './read-event.ts'
setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')
const heap = () => { gc(); return process.memoryUsage().heapUsed }
test('x', async () => {
  const b = createBatcher<any, any>({ flush: () => new Promise(() => {}), splitsOn: () => false, maxBatch: 1, maxItems: 1e9, maxBytes: 1e9, waitMs: 1e4 })
  const body = (n: number) => ({ event: 'ai_checkout_initiated', domain: 'shop.example', session_id: 's' + n, source: 'acp', ai_surface: 'chatgpt', properties: { value: 4999, currency: 'USD' } })
  let h = heap()
  const keep: any[] = []
  for (let i = 0; i < 20000; i++) keep.push(b.add(i))
  console.log('batcher alone', (heap() - h) / 20000); h = heap()
  const evs: any[] = []
  for (let i = 0; i < 20000; i++) evs.push(readEvent(JSON.parse(JSON.stringify(body(i))), { index: null, idempotencyKey: null }, new Date()))
  console.log('events', (heap() - h) / 20000); h = heap()
  for (let i = 0; i < 20000; i++) evs.push(JSON.parse(JSON.stringify(body(i))))
  console.log('bodies', (heap() - h) / 20000); h = heap()
})
