import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RowOutcome } from '../../../shared/audit/checks/feed/upload.ts'
import {
  isReady,
  type UploadResult,
  uploadResult,
} from '../../../shared/audit/checks/feed/upload-result.ts'
import {
  DESTINATION_NAMES,
  type FeedDestination,
} from '../../../shared/audit/checks/feed/vendors/destinations.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { printable, printableJson } from '../../../shared/web/text/printable.ts'
import { identityOf } from '../../audit/identity.ts'
import { parquetInFile } from '../../audit/probe/feed/parquet-file.ts'
import {
  createUploadReader,
  isParquet,
  readParquetUpload,
  type UploadOptions,
  type UploadRead,
} from '../../audit/probe/feed/upload.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import type { Config } from '../../config.ts'
import { CommandError } from '../terminal/command-error.ts'
import { painter } from '../terminal/paint.ts'
import { nameOfFile, STDIN } from '../terminal/read-text.ts'
import { replaceFileBy } from '../terminal/replace-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { uploadText } from './check-text.ts'

export interface FeedCheckFlags {
  for?: string
  products?: string
  json?: boolean
}

// Unspecified: repeated ids are found among the first two million products, whose hashes take
// 50 MB; a file has at most 16 GB, and is fetched for 30 minutes at most.
const MOST_IDS = 2_000_000
const MOST_BYTES = 16 * 1024 ** 3
const FETCH_MS = 30 * 60_000

/**
 * Says what of a feed each destination would leave out, and why. `source` is a file, `-` for
 * standard input or an address. Returns the exit code: 0 if everything would be listed, 1 if not,
 * also where the feed cannot be read to its end. Throws where there is no feed to read.
 */
export async function feedCheckCommand(
  source: string,
  { for: names, products, json = false }: FeedCheckFlags,
  config: Pick<Config, 'baseUrl' | 'testHosts'>,
  terminal: Terminal,
): Promise<number> {
  const destinations = readDestinations(names)
  const run = (sink: Pick<UploadOptions, 'onLeftOut' | 'keepUp'> = {}) =>
    readSource(source, { destinations, mostIds: MOST_IDS, ...sink }, config)
  const read = await (products === undefined ? run() : withProducts(products, run))
  if (products !== undefined) terminal.remark(printable`Wrote ${products}.`)
  const result: UploadResult = uploadResult(read, read.check)
  if (json) terminal.print(printableJson({ source: nameOfFile(source), ...result }))
  else
    terminal.print(uploadText(nameOfFile(source), result, painter(terminal.colour), terminal.width))
  return isReady(result) ? 0 : 1
}

/** Throws for a name that is not one of them. */
function readDestinations(names: string | undefined): FeedDestination[] {
  if (names === undefined) return [...DESTINATION_NAMES]
  return names.split(',').map((typed) => {
    const name = DESTINATION_NAMES.find((each) => each === typed.trim().toLowerCase())
    if (name !== undefined) return name
    throw new CommandError(
      printable`--for does not know "${typed.trim()}". It takes ${DESTINATION_NAMES.join(', ')}.`,
    )
  })
}

/** Writes each product that would be left out as a line of JSON, as it is found. */
function withProducts(
  file: string,
  run: (sink: Pick<UploadOptions, 'onLeftOut' | 'keepUp'>) => Promise<UploadRead>,
): Promise<UploadRead> {
  return replaceFileBy(file, async ({ append }) => {
    let lines = ''
    const keepUp = async () => {
      if (lines === '') return
      const written = lines
      lines = ''
      await append(written)
    }
    const onLeftOut = (row: RowOutcome) => {
      lines += `${JSON.stringify(row)}\n`
    }
    const read = await run({ onLeftOut, keepUp })
    await keepUp()
    return read
  })
}

const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

async function readSource(
  source: string,
  options: UploadOptions,
  config: Pick<Config, 'baseUrl' | 'testHosts'>,
): Promise<UploadRead> {
  if (isUrl(source)) return readAddress(source, options, config)
  if (source === STDIN) return readBytes(process.stdin, options)
  await demandFile(source)
  return (await beginsAsParquet(source))
    ? readParquetFile(source, options)
    : readBytes(createReadStream(source, { highWaterMark: 256 * 1024 }), options)
}

async function demandFile(path: string): Promise<void> {
  const refused = (why: string) => new CommandError(printable`${path} ${why}`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? refused('does not exist. Check its name and the folder.')
      : refused(`cannot be read: ${error.message}.`)
  })
  if (found.isDirectory()) throw refused('is a folder. Name a file in it.')
  if (!found.isFile()) throw refused('is not a file. Name a file.')
  if (found.size > MOST_BYTES) throw refused('has more than 16 GB. Split the feed into several.')
}

async function beginsAsParquet(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return isParquet(buffer)
  } finally {
    await handle.close()
  }
}

async function readParquetFile(path: string, options: UploadOptions): Promise<UploadRead> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return await readParquetUpload(parquetInFile(handle, size), options)
  } finally {
    await handle.close()
  }
}

async function readBytes(
  bytes: AsyncIterable<Uint8Array>,
  options: UploadOptions,
): Promise<UploadRead> {
  const reader = createUploadReader(options)
  for await (const chunk of bytes) if (!(await reader.write(chunk))) break
  return reader.end()
}

/** Reads a published feed. Parquet is read from its end, so it is kept in a file first. */
async function readAddress(
  url: string,
  options: UploadOptions,
  { baseUrl, testHosts }: Pick<Config, 'baseUrl' | 'testHosts'>,
): Promise<UploadRead> {
  if (URL.parse(url) === null) {
    throw new CommandError(
      printable`${url} is not a valid URL. Write one such as https://shop.example/feed.xml.`,
    )
  }
  const fetcher = createFetcher({
    ...identityOf(baseUrl),
    testHosts,
    limits: { totalMs: FETCH_MS, auditMs: FETCH_MS },
  })
  const session = fetcher.open({ deadlineMs: FETCH_MS })
  const folder = await mkdtemp(join(tmpdir(), 'aisle-feed-'))
  const kept = join(folder, 'feed.parquet')
  const reader = createUploadReader(options)
  let file: Awaited<ReturnType<typeof open>> | null = null
  let begun = false
  try {
    const fetched = await session.request({
      url,
      maxBytes: MOST_BYTES,
      read: async (bytes) => {
        if (!begun && isParquet(bytes)) file = await open(kept, 'w')
        begun = true
        if (file === null) return reader.write(bytes)
        await file.write(bytes)
        return true
      },
    })
    if (fetched.kind !== 'answer') {
      // What came before it broke off says nothing about the feed as a whole.
      throw new CommandError(printable`${describeFetch(fetched)}. Check the address and try again.`)
    }
    if (fetched.status < 200 || fetched.status >= 300) {
      throw new CommandError(
        printable`${url} answers with status ${fetched.status}. Check the address, or give the file.`,
      )
    }
    if (file === null) return await reader.end()
    return await readParquetFile(kept, options)
  } finally {
    await (file as Awaited<ReturnType<typeof open>> | null)?.close()
    await fetcher.close()
    await rm(folder, { recursive: true, force: true })
  }
}
