import type { UploadState } from '../../../shared/audit/checks/feed/upload.ts'
import type { SealedPage } from './sealed-page.ts'
import type { TaskInputs, TaskName, TaskOutput } from './tasks.ts'

// Apart from the tasks: who only hands them to workers loads no rules.

/** The memory that moves to the worker with what a task takes: it is gone where it was. */
export function movedTo(input: TaskInputs[TaskName]): ArrayBuffer[] {
  if ('bytes' in input) return [input.bytes.buffer]
  if ('check' in input) return idsOf(input.check)
  if (!('evidence' in input)) return []
  const { homePage, productPages = [] } = input.evidence
  return buffersOf(homePage?.page, ...productPages.map(({ page }) => page))
}

/** The memory that moves back with what a task gives. */
export const movedBack = (done: TaskOutput<TaskName>): ArrayBuffer[] =>
  'page' in done ? buffersOf(done.page) : 'check' in done ? idsOf(done.check) : []

/** Each once: the tables that are empty are one. */
const idsOf = ({ ids }: UploadState): ArrayBuffer[] => [
  ...new Set([ids.counts, ...ids.tables].map(({ buffer }) => buffer)),
]

/** Each once: a shop's home page may be its product page as well. */
const buffersOf = (...pages: (SealedPage | null | undefined)[]): ArrayBuffer[] => [
  ...new Set(pages.flatMap((page) => (page ? [page.bytes.buffer] : []))),
]
