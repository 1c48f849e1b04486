import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countOnline, type FeedOnline } from '../../../shared/audit/checks/feed/online.ts'
import { spreadSample } from '../../../shared/audit/checks/feed/sample.ts'
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
import type { FeedItem } from '../../../shared/commerce/feed.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import { printable, printableJson } from '../../../shared/web/text/printable.ts'
import { compareFeedOnline } from '../../audit/compare-feed.ts'
import { identityOf } from '../../audit/identity.ts'
import { createJudgesAtHand } from '../../audit/judging/judges-at-hand.ts'
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
import { readGivenHeaders } from '../given-headers.ts'
import { openSigner } from '../signing.ts'
import { CommandError } from '../terminal/command-error.ts'
import { painter } from '../terminal/paint.ts'
import { nameOfFile, STDIN } from '../terminal/read-text.ts'
import { replaceFileBy } from '../terminal/replace-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { onlineText, uploadText } from './check-text.ts'

export interface FeedCheckFlags {
  for?: string
  products?: string
  json?: boolean
  /** True without a number. */
  compare?: string | true
  shop?: string
  header?: string[]
}

// Unspecified: repeated ids are found among the first two million products, whose hashes take
// 28 MB; a file has at most 16 GB, and is fetched for 30 minutes at most.
const MOST_IDS = 2_000_000
const MOST_BYTES = 16 * 1024 ** 3
const FETCH_MS = 30 * 60_000

const PIECE = 128 * 1024

// Unspecified: ten products are compared with their pages unless a number is given, and a hundred
// at most: a shop is asked for a page of each.
const DEFAULT_COMPARED = 10
const MOST_COMPARED = 100

/**
 * Says what of a feed each destination would leave out, and why. `source` is a file, `-` for
 * standard input or an address. Returns the exit code: 0 if everything would be listed, 1 if not,
 * also where the feed cannot be read to its end or differs from its
 * shop. Throws where there is no feed to read.
 */
export async function feedCheckCommand(
  source: string,
  { for: names, products, json = false, ...online }: FeedCheckFlags,
  config: Config,
  {
    terminal,
    now,
    keepSteady = () => {},
  }: { terminal: Terminal; now: () => Date; keepSteady?: () => void },
): Promise<number> {
  const destinations = readDestinations(names)
  const comparing = readComparing(online)
  const run = ({ onLeftOut, keepUp }: Sink = {}) =>
    readSource(
      source,
      {
        ...{ destinations, mostIds: MOST_IDS, mostSampled: comparing?.most },
        ...(onLeftOut && { onLeftOut }),
        async keepUp() {
          keepSteady()
          await keepUp?.()
        },
      },
      config,
    )
  const read = await (products === undefined ? run() : withProducts(products, run))
  if (products !== undefined) terminal.remark(printable`Wrote ${products}.`)
  const result: UploadResult = uploadResult(read, read.check)
  const compared =
    comparing === null || read.kind === null
      ? null
      : await compareHere(
          { ...comparing, items: spreadSample(read.check.sample), source },
          config,
          now,
        )
  const name = nameOfFile(source)
  if (json) {
    const beside = compared === null ? {} : { online: compared }
    terminal.print(printableJson({ source: name, ...result, ...beside }))
  } else {
    const paint = painter(terminal.colour)
    terminal.print(uploadText(name, result, paint, terminal.width))
    if (compared !== null) terminal.print(onlineText(compared, paint, terminal.width))
  }
  const differs = compared !== null && countOnline(compared).differ > 0
  return isReady(result) && !differs ? 0 : 1
}

interface Comparing {
  most: number
  shop: string | undefined
  headers: string[] | undefined
}

/** What is to be compared with the shop; null for nothing. */
function readComparing({ compare, shop, header }: FeedCheckFlags): Comparing | null {
  if (compare === undefined) {
    const given = shop !== undefined ? '--shop' : header !== undefined ? '--header' : null
    if (given === null) return null
    throw new CommandError(printable`${given} is for --compare. Add it, or leave ${given} out.`)
  }
  const most = compare === true ? DEFAULT_COMPARED : Number(compare)
  if (!Number.isInteger(most) || most < 1 || most > MOST_COMPARED) {
    throw new CommandError(
      printable`--compare takes a number of products from 1 to ${String(MOST_COMPARED)}, not "${String(compare)}".`,
    )
  }
  const host = shop === undefined ? undefined : readShop(shop)
  return { most, shop: host, headers: header }
}

function readShop(written: string): string {
  const name = URL.parse(`https://${written}`)
  if (name !== null && name.hostname === written.toLowerCase()) {
    return name.hostname.replace(/^www\./, '')
  }
  throw new CommandError(
    printable`--shop takes the domain of the shop, such as shop.example, not "${written}".`,
  )
}

/** Compares with the shop from this machine, as an audit reads it. */
async function compareHere(
  { items, source, shop, headers }: Comparing & { items: readonly FeedItem[]; source: string },
  config: Config,
  now: () => Date,
): Promise<FeedOnline> {
  const { baseUrl, testHosts } = config
  const { signer, close } = await openSigner(config, now)
  const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts, signer })
  const judges = createJudgesAtHand()
  try {
    return await compareFeedOnline(
      {
        ...{ items, shop, from: isUrl(source) ? source : null },
        access: (domain) => readGivenHeaders(headers, domain),
      },
      { fetcher, judges, now },
    )
  } finally {
    await fetcher.close()
    await judges.close()
    await close()
  }
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

/** What receives the rows that are left out. */
type Sink = Pick<UploadOptions, 'onLeftOut' | 'keepUp'>

/** Writes each product that would be left out as a line of JSON, as it is found. */
function withProducts(file: string, run: (sink: Sink) => Promise<UploadRead>): Promise<UploadRead> {
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
    : readFile(source, options)
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

/** Reads a file into the same memory piece by piece: the reader keeps none of them. */
async function readFile(path: string, options: UploadOptions): Promise<UploadRead> {
  const handle = await open(path)
  try {
    const piece = Buffer.alloc(PIECE)
    const reader = createUploadReader(options)
    for (;;) {
      const { bytesRead } = await handle.read(piece)
      if (bytesRead === 0 || !(await reader.write(piece.subarray(0, bytesRead)))) break
    }
    return await reader.end()
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
