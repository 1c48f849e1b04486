import type { Collected } from '../collect/collected.ts'
import type { PageAudit, PageRefusal } from './page-audit.ts'

/** The message to the worker. */
export interface PageToJudge {
  collected: Collected
  /** The target of the gaps' links; null without a server. */
  serverUrl: string | null
}

/**
 * Some three hundred times what a page of a megabyte takes: browsers do not show processor time,
 * and the computer may be busy. Its readers bound what they read of a page.
 */
const MOST_MS = 60_000

/**
 * Judges a page in its own worker, which then ends. A page that takes too long, or more memory than
 * the browser grants, is a refusal.
 */
export function judgeApart(page: PageToJudge): Promise<PageAudit | PageRefusal> {
  const worker = new Worker(new URL('./judge.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<PageAudit | PageRefusal>((resolve) => {
    const late = setTimeout(resolve, MOST_MS, { refusal: 'too_slow' })
    worker.addEventListener('message', ({ data }: MessageEvent<PageAudit | PageRefusal>) => {
      clearTimeout(late)
      resolve(data)
    })
    worker.addEventListener('error', () => {
      clearTimeout(late)
      resolve({ refusal: 'failed' })
    })
    worker.postMessage(page)
  }).finally(() => worker.terminate())
}
