import * as z from 'zod'
import type { Evidence } from '../audit/evidence.ts'
import type { SeenAnswer, SeenAnswers } from './answers.ts'

/** One difference between what a store answered when all was well, and what it answers now. */
export const AnswerChange = z.object({
  request: z.string().describe('The request, such as `GET https://shop.example/.well-known/ucp`'),
  what: z
    .enum(['status', 'header', 'field', 'line'])
    .describe('The part of the answer that changed'),
  name: z
    .string()
    .nullable()
    .describe('Which header, field (a JSON Pointer) or line; null for the status'),
  before: z.string().nullable().describe('What it was; null where it was not there'),
  after: z.string().nullable().describe('What it is now; null where it is not there'),
})
export type AnswerChange = z.infer<typeof AnswerChange>

/** More than so many nobody reads; they come in the order in which they explain most. */
const MOST_CHANGES = 5

/**
 * What changed in the answers that a rule reads. `detail` is what the rule says of the gap: what it
 * quotes comes first, then statuses, headers and fields. Fields that differ from look to look anyhow
 * are left out.
 */
export function changesOf(
  before: SeenAnswers,
  after: SeenAnswers,
  { reads, detail }: { reads: readonly (keyof Evidence)[]; detail: string },
): AnswerChange[] {
  const found = reads.flatMap((key) =>
    (after[key] ?? []).flatMap((now) => {
      const earlier = before[key]?.find(
        ({ at, request }) => at === now.at && request === now.request,
      )
      return earlier === undefined ? [] : differencesOf(earlier, now)
    }),
  )
  const isQuoted = (text: string | null) => text !== null && text !== '' && detail.includes(text)
  const weightOf = ({ what, name, before: was, after: is }: AnswerChange): number =>
    (isQuoted(nameInText(name)) ? 4 : 0) +
    (isQuoted(is) || isQuoted(was) ? 4 : 0) +
    (what === 'status' ? 3 : what === 'header' ? 1 : 0)
  return found.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_CHANGES)
}

/** A rule names the last part of a path; a number alone names nothing. */
function nameInText(name: string | null): string | null {
  const last = name?.split('/').at(-1) ?? null
  return last === null || /^\d*$/.test(last) ? null : last
}

/** What stands for an answer that never came. */
const statusOf = ({ status, why }: SeenAnswer): string | null =>
  status === null ? `no answer (${why ?? 'unknown'})` : String(status)

function differencesOf(before: SeenAnswer, now: SeenAnswer): AnswerChange[] {
  const { request } = now
  const changes: AnswerChange[] = []
  if (statusOf(before) !== statusOf(now)) {
    const [was, is] = [statusOf(before), statusOf(now)]
    changes.push({ request, what: 'status', name: null, before: was, after: is })
  }
  const isSteady = (name: string) => !before.unsteady.includes(name)
  for (const [what, was, is] of [
    ['header', before.headers, now.headers],
    ['field', before.fields, now.fields],
  ] as const) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (was[name] === is[name] || !isSteady(name)) continue
      const isLine = what === 'field' && name !== '' && !name.startsWith('/')
      changes.push({
        request,
        what: isLine ? 'line' : what,
        name,
        before: was[name] ?? null,
        after: is[name] ?? null,
      })
    }
  }
  return changes
}
