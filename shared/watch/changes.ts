import * as z from 'zod'
import type { Evidence } from '../audit/evidence.ts'
import type { SeenAnswer, SeenAnswers } from './answers.ts'

/** One difference between a store's answer when all was well and its answer now. */
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

/** More are not useful; those that explain most come first. */
const MOST_CHANGES = 5

/**
 * What changed in the answers that a rule reads. `detail` is the gap's text: what it quotes comes
 * first, then statuses, headers and fields. Unstable fields are left out.
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
  const once = new Map(found.map((change) => [JSON.stringify(change), change]))
  return [...once.values()].toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_CHANGES)
}

/** A rule names the last part of a path; a number alone does not identify anything. */
function nameInText(name: string | null): string | null {
  const last = name?.split('/').at(-1) ?? null
  return last === null || /^\d*$/.test(last) ? null : last
}

/** Shown instead of an answer that never came. */
const statusOf = ({ status, why }: SeenAnswer): string | null =>
  status === null ? `no answer (${why ?? 'unknown'})` : String(status)

function differencesOf(before: SeenAnswer, now: SeenAnswer): AnswerChange[] {
  const { request } = now
  const [was, is] = [statusOf(before), statusOf(now)]
  if (was === is) return [...partsOf('header', before, now), ...partsOf('field', before, now)]
  const status = { request, what: 'status', name: null, before: was, after: is } as const
  // If the answers are of different kinds, their contents do not compare; only redirects and
  // required credentials do.
  return [status, ...partsOf('header', before, now).filter(({ after }) => after !== null)]
}

/** Differences in headers and contents, without unstable fields. */
function partsOf(what: 'header' | 'field', before: SeenAnswer, now: SeenAnswer): AnswerChange[] {
  const [was, is] = what === 'header' ? [before.headers, now.headers] : [before.fields, now.fields]
  const differing = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => was[name] !== is[name] && !before.unsteady.includes(name))
    // A parent comes before its children.
    .toSorted((a, b) => a.split('/').length - b.split('/').length)
  const gone = new Set<string>()
  return differing.flatMap((name) => {
    const change = {
      request: now.request,
      name,
      before: was[name] ?? null,
      after: is[name] ?? null,
    }
    const isWhole = change.before === null || change.after === null
    if (isWhole && holdersOf(name).some((holder) => gone.has(holder))) return []
    gone.add(name)
    const isLine = what === 'field' && name !== '' && !name.startsWith('/')
    return [{ ...change, what: isLine ? ('line' as const) : what }]
  })
}

/** `/a` and the whole document, of `/a/b`; none of a line or header. */
const holdersOf = (name: string): string[] =>
  name.startsWith('/')
    ? name
        .split('/')
        .flatMap((_, n, parts) => (n < parts.length - 1 ? [parts.slice(0, n + 1).join('/')] : []))
    : []
