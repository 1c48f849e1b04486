import {
  type Answer,
  type Fetched,
  NOT_READ_HERE,
  type NoAnswer,
} from '../../../shared/web/http/fetched.ts'
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
  /**
   * Why something was not read or judged, where this machine had too little time for it; else null.
   * What was seen then says less than the store does, and nothing is to be concluded from it.
   */
  starved(): string | null
}

export const auditSession = (
  { request, agentBase, after, aside, waited }: FetchSession,
  { run }: Judges,
): AuditSession => {
  let starved: string | null = null
  return {
    request,
    agentBase,
    after,
    waited,
    async run(task, input, account) {
      const judged = await aside(run(task, input, account))
      if ('exceeded' in judged && judged.ours === 'starved') starved = judged.exceeded
      return judged
    },
    hold: createHold(),
    starved: () => starved,
  }
}

/**
 * Asks, and has the body read apart. `read` is null without an answer, and where reading it took
 * more than it may: `fetched` then says so, and for the rules nothing could be seen. A page that we
 * failed to read is asked for once more; what may change something in the store is not.
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
    const isAgain = judged.ours === 'failed' && tries > 1 && (input.method ?? 'GET') === 'GET'
    if (!isAgain) return { fetched: unread(fetched, judged), read: null }
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
  message: `${ours ? NOT_READ_HERE : 'its content was not read'}, because ${exceeded}`,
  ms,
})
