import { AuditResult } from '../../shared/audit/result/result.ts'
import { describeFetch } from '../../shared/web/http/fetched.ts'
import { isRecord } from '../../shared/web/json/json.ts'
import { printable } from '../../shared/web/text/printable.ts'
import { type Fetcher, fetchOnce } from '../audit/probe/fetch/fetch.ts'
import { CommandError } from './terminal/command-error.ts'
import { isAddress } from './terminal/paths.ts'
import { nameOfFile, readTextFile } from './terminal/read-text.ts'

// Unspecified: a baseline has at most 16 MiB, which is the results of a few hundred domains.
const MAX_BYTES = 16 * 1024 * 1024

/** The results of an earlier run, by their domains. */
export type Baseline = ReadonlyMap<string, AuditResult>

/**
 * Reads what `aisle audit --json` wrote, for one or several domains, from a file or an https
 * address. A domain that could not be audited then is missing. Throws a `CommandError` for anything
 * else.
 */
export async function readBaseline(source: string, fetcher: Fetcher): Promise<Baseline> {
  const isUrl = isAddress(source)
  const value = jsonOf(
    source,
    isUrl
      ? await fetched(source, fetcher)
      : await readTextFile(source, {
          called: `The baseline ${nameOfFile(source)}`,
          maxBytes: MAX_BYTES,
        }),
  )
  const results = isRecord(value) && Array.isArray(value.results) ? value.results : [value]
  return new Map(
    results.flatMap((each, index): [string, AuditResult][] => {
      if (value !== each && isRecord(each) && 'error' in each) return []
      const read = AuditResult.safeParse(each)
      if (read.success) return [[read.data.domain, read.data]]
      const [issue] = read.error.issues
      const where = [...(value === each ? [] : ['results', index]), ...(issue?.path ?? [])]
      throw new CommandError(
        printable`The baseline ${nameOfFile(source)} is not a result of aisle audit (${where.map(String).join('.') || 'the whole file'}). Give a file that aisle audit --format json wrote.`,
      )
    }),
  )
}

/** Through the guarded fetcher, which refuses private addresses. */
async function fetched(url: string, fetcher: Fetcher): Promise<string> {
  if (URL.parse(url)?.protocol !== 'https:') {
    throw new CommandError(
      printable`The baseline is read over https or from a file, not from ${url}.`,
    )
  }
  const answer = await fetchOnce(fetcher, {
    url,
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
  })
  if (answer.kind !== 'answer' || answer.status !== 200) {
    throw new CommandError(printable`The baseline cannot be read: ${describeFetch(answer)}.`)
  }
  if (!answer.final_url.startsWith('https:')) {
    throw new CommandError(
      printable`The baseline at ${url} leads to ${answer.final_url}, which is not https.`,
    )
  }
  if (answer.truncated) {
    throw new CommandError(
      printable`The baseline at ${url} has more than ${MAX_BYTES / 1024 / 1024} MiB, and no more is read. Is it the right address?`,
    )
  }
  return answer.body
}

function jsonOf(source: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(
      printable`The baseline ${nameOfFile(source)} is not JSON. Give a file that aisle audit --format json wrote.`,
    )
  }
}
