import type { Context } from 'hono'
import { overloaded } from '../../../http/api-error.ts'
import type { ServerEnv } from '../../../http/env.ts'

// Unspecified: one process sends at most four pages of the same link to a walk at the same time;
// more get 503. Such a page may have megabytes, its address may be public, and a slow reader holds
// it.
const MOST = 4

/** Bytes per chunk, handed on when the connection takes more. */
const PART = 65_536

/** Answers with the page that `make` creates, unless too many of the same `id` are being sent. */
export function createFewAtATime() {
  const underWay = new Map<string, number>()
  const add = (id: string, change: 1 | -1) => {
    const left = (underWay.get(id) ?? 0) + change
    if (left > 0) underWay.set(id, left)
    else underWay.delete(id)
  }

  return async (
    c: Context<ServerEnv>,
    id: string,
    make: () => Promise<Response>,
  ): Promise<Response> => {
    if ((underWay.get(id) ?? 0) >= MOST) throw overloaded()
    add(id, 1)
    let isSent = false
    try {
      const page = await make()
      // hono answers HEAD through GET and never reads the body.
      if (c.req.method === 'HEAD') return page
      const bytes = new Uint8Array(await page.arrayBuffer())
      isSent = true
      return new Response(
        inParts(bytes, () => add(id, -1)),
        page,
      )
    } finally {
      if (!isSent) add(id, -1)
    }
  }
}

/** `over` is called once: when all was sent, or the reader left. */
function inParts(bytes: Uint8Array<ArrayBuffer>, over: () => void): ReadableStream {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + PART))
        at += PART
        if (at < bytes.length) return
        controller.close()
        over()
      },
      cancel: over,
    },
    // Nothing is read before the connection asks for it.
    { highWaterMark: 0 },
  )
}
