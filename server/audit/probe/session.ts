import type { Answer, Fetched, NoAnswer } from '../../../shared/web/http/fetched.ts'
import type { Exceeded, Judges } from '../judging/judges.ts'
import type { BodyTask, TaskInputs, TaskOutput } from '../judging/tasks.ts'
import type { FetchRequest } from './fetch/request.ts'
import type { FetchSession } from './fetch/session.ts'
import { createHold, type Hold } from './hold.ts'

/** What a probe works with: the way out to the network, and the readers of what comes back. */
export interface AuditSession
  extends Pick<FetchSession, 'request' | 'agentBase' | 'after' | 'waited'> {
  run: Judges['run']
  hold: Hold
}

export const auditSession = (
  { request, agentBase, after, aside, waited }: FetchSession,
  { run }: Judges,
): AuditSession => ({
  request,
  agentBase,
  after,
  waited,
  run: (task, input, account) => aside(run(task, input, account)),
  hold: createHold(),
})

/**
 * Asks, and has the body read apart. `read` is null without an answer, and where reading it took
 * more than it may: `fetched` then says so, and for the rules nothing could be seen. What we could
 * not read for reasons of our own is asked for once more.
 */
export async function requestRead<K extends BodyTask>(
  session: AuditSession,
  input: FetchRequest,
  task: K,
  more: Partial<TaskInputs[K]> = {},
  tries = 2,
): Promise<{ fetched: Fetched; read: TaskOutput<K> | null }> {
  const held = session.hold.open(input.maxBytes)
  try {
    const fetched = await session.request({ ...input, read: held.take })
    if (fetched.kind !== 'answer') return { fetched, read: null }
    const judged = await session.run(task, { ...bodyOf(fetched, held.drain()), ...more })
    if ('done' in judged) return { fetched, read: judged.done }
    if (!judged.ours || tries === 1) return { fetched: unread(fetched, judged), read: null }
  } finally {
    held.close()
  }
  return requestRead(session, input, task, more, tries - 1)
}

export const bodyOf = (
  { status, headers, truncated, final_url: url }: Answer,
  bytes: Uint8Array<ArrayBuffer>,
) => ({ status, headers, bytes, contentType: headers['content-type'], truncated, url })

/** An answer that we could not read to its end, by no fault that we can name. */
export const unread = ({ method, url, ms }: Answer, { exceeded, ours }: Exceeded): NoAnswer => ({
  kind: 'no_answer',
  method,
  url,
  why: ours ? 'not_read' : 'too_large',
  message: `its content was not read, because ${exceeded}`,
  ms,
})
