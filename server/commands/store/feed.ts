import { basename } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { printable, printableTable } from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import type { StoreConfig } from '../../store/config.ts'
import { FEED_WRITERS } from '../../store/shop/feeds/feeds.ts'
import { FEED_FILES, FEED_FORMATS, type FeedFormat } from '../../store/shop/feeds/formats.ts'
import { readInventory } from '../../store/shop/inventory.ts'
import { SNIPPET_URL } from '../../store/shop/settings.ts'
import { CommandError } from '../terminal/command-error.ts'
import { replaceFile } from '../terminal/replace-file.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface FeedFlags {
  format: string
  gzip?: boolean
  out?: string
  origin?: string
}

/** The request, once it is known to be possible. */
interface FeedAsked {
  format: FeedFormat
  gzip: boolean
  out: string | undefined
  /** `https://shop.example`, the origin of the feed's links. */
  origin: string
  /** The origin was not given. */
  isAssumed: boolean
}

const isFormat = (name: string): name is FeedFormat =>
  (FEED_FORMATS as readonly string[]).includes(name)

/** Throws if the feed cannot be written as requested; the message says what to give instead. */
export function readFeedFlags(
  { format, gzip = false, out, origin }: FeedFlags,
  { hosts, port }: Pick<StoreConfig, 'hosts' | 'port'>,
): FeedAsked {
  if (!isFormat(format)) {
    throw new CommandError(
      printable`"${format}" is not a feed format. Give --format one of ${FEED_FORMATS.join(', ')}.`,
    )
  }
  if (gzip && out === undefined) {
    const file = `${basename(FEED_FILES[format].path)}.gz`
    throw new CommandError(printable`A compressed feed needs a file: give --out ${file}.`)
  }
  // Unspecified: a store that answers for any host has no name of its own: its links then lead to
  // this machine, like those of its pages when they are opened here.
  const known = origin ?? originOf(hosts)
  return {
    format,
    gzip,
    out,
    origin: readOrigin(known ?? `https://localhost:${port}`),
    isAssumed: known === undefined,
  }
}

const originOf = (hosts: StoreConfig['hosts']): string | undefined => {
  const host = hosts?.find((each) => !each.startsWith('*'))
  return host && `https://${host}`
}

function readOrigin(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && `${url.origin}/` === url.href) return url.origin
  throw new CommandError(
    printable`--origin takes the address of the store without a path, such as https://shop.example, not "${text}".`,
  )
}

/** Writes the current catalog as a feed: to the file, or to the terminal. */
export async function storeFeedCommand(
  { format, gzip: isPacked, out, origin, isAssumed }: FeedAsked,
  { db, now }: { db: Db; now: () => Date },
  terminal: Terminal,
): Promise<void> {
  const text = FEED_WRITERS[format]({
    inventory: await readInventory(db),
    host: new URL(origin).host,
    origin,
    path: FEED_FILES[format].path,
    secure: true,
    userAgent: '',
    signatureAgent: '',
    accept: '',
    official: false,
    number: 1,
    at: now(),
    snippetUrl: SNIPPET_URL,
    paymentMethods: [],
    faults: [],
    noteView: () => {},
  })
  if (out === undefined) {
    const lines = text.trimEnd().split('\n')
    terminal.print(printableTable(lines.map((line) => line.split('\t'))))
  } else {
    await replaceFile(out, isPacked ? await promisify(gzip)(text) : text)
    terminal.print(printable`Wrote ${out}.`)
  }
  if (isAssumed) {
    terminal.remark(
      printable`Its links lead to ${origin}. Give --origin to name the address of the store.`,
    )
  }
}
