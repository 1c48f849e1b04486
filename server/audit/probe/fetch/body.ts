import { pipeline, type Readable } from 'node:stream'
import { MIMEType } from 'node:util'
import zlib from 'node:zlib'
import sniffEncoding from 'html-encoding-sniffer'
import { Failure } from './failure.ts'

/** The codings that `readBody` can decode, for the request header `accept-encoding`. */
export const ACCEPT_ENCODING = 'gzip, br'

/**
 * How much larger than sent a body may get. Deflate reaches about a thousand with a body that is
 * made for it (https://www.zlib.net/zlib_tech.html).
 */
const MAX_RATIO = 100

/** Short bodies of one repeated character are not an attack. */
const RATIO_FREE_BYTES = 1024 * 1024

/** How much of a body is read, and who receives it. */
interface BodyOptions {
  /** Counted after decompression. What lies beyond is not read, and the body is `truncated`. */
  maxBytes: number
  /**
   * Receives the decompressed bytes as they arrive instead of the result; false stops. While its
   * promise is pending, nothing more is read.
   */
  read?: (bytes: Uint8Array, headers: Record<string, string>) => boolean | Promise<boolean>
}

/**
 * The text of an answer, decompressed and decoded; empty where `read` takes the bytes. Closes the
 * stream in every case. Throws a Failure for a coding that was not asked for, two codings, broken
 * data, and a body that expands to more than 100 times its size once past 1 MiB.
 */
export async function readBody(
  wire: Readable,
  headers: Record<string, string>,
  { maxBytes, read }: BodyOptions,
): Promise<{ body: string; truncated: boolean }> {
  const parts: Uint8Array[] = []
  const take = read ?? ((bytes: Uint8Array) => parts.push(bytes) > 0)
  // A stream that is closed early emits an error, which is of no use here.
  wire.on('error', () => {})
  let left = maxBytes
  let truncated = false
  try {
    for await (const chunk of decompress(wire, headers['content-encoding'])) {
      const kept = chunk.subarray(0, left)
      left -= kept.length
      truncated = kept.length < chunk.length
      if (kept.length > 0 && !(await take(kept, headers))) truncated = true
      if (truncated) break
    }
    const contentType = headers['content-type']
    const body = decodeBody({ bytes: Buffer.concat(parts), contentType, truncated })
    return { body, truncated }
  } finally {
    wire.destroy()
  }
}

/** The decoded bytes as they arrive, so that a limit stops the decoder and not only the reader. */
async function* decompress(wire: Readable, coding = 'identity'): AsyncGenerator<Buffer> {
  const name = coding.trim().toLowerCase()
  if (name === 'identity' || name === '') {
    yield* chunksOf(wire)
    return
  }
  const decoder = decoderFor(name)
  pipeline(wire, decoder, () => {})
  let decoded = 0
  try {
    for await (const chunk of chunksOf(decoder)) {
      decoded += chunk.length
      // bytesWritten is what the decoder has consumed, not what waits in its buffer.
      if (decoded > RATIO_FREE_BYTES && decoded > decoder.bytesWritten * MAX_RATIO) {
        throw new Failure('too_large', 'the body expands to more than 100 times its size')
      }
      yield chunk
    }
  } catch (error) {
    const code = codingError(error)
    if (code === null) throw error
    // Responses to HEAD and 304 name the coding of a body that they lack (RFC 9110, 9.3.2, 15.4.5).
    if (code === 'Z_BUF_ERROR' && decoder.bytesWritten === 0) return
    throw new Failure('protocol', `the body is not valid ${name}; check the server's compression`)
  }
}

/** The decoder of a coding that we asked for; throws for any other, and for several together. */
function decoderFor(coding: string): zlib.Gunzip | zlib.BrotliDecompress {
  if (coding === 'gzip' || coding === 'x-gzip') return zlib.createGunzip()
  if (coding === 'br') return zlib.createBrotliDecompress()
  const sent = coding.slice(0, 60)
  throw new Failure('protocol', `content-encoding is "${sent}"; use a single coding, gzip or br`)
}

/** A byte stream yields buffers: no encoding is ever set on one here. */
function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream
}

/** The code of an error of zlib, and null for one of the connection. */
function codingError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code) ? code : null
}

/** Where `<meta charset>` must be (https://html.spec.whatwg.org/#charset, "first 1024 bytes"). */
const SNIFFED_BYTES = 1024

/** A body as text. `contentType` is the header's value; bytes that mean nothing become U+FFFD. */
export function decodeBody({
  bytes,
  contentType,
  truncated = false,
}: {
  bytes: Uint8Array
  contentType: string | undefined
  truncated?: boolean
}): string {
  return decoderOf(encodingOf(bytes, parseMime(contentType), truncated)).decode(bytes)
}

/** Decodes a body that comes in parts; a character may be split between two. */
export function createTextStream(contentType: string | undefined): {
  /** The first part must be longer than what names the encoding, unless it is the last. */
  text: (bytes: Uint8Array) => string
  end: () => string
} {
  let decoder: TextDecoder | null = null
  const started = (bytes: Uint8Array) => {
    decoder ??= decoderOf(encodingOf(bytes, parseMime(contentType), true))
    return decoder
  }
  return {
    text: (bytes) => started(bytes).decode(bytes, { stream: true }),
    end: () => decoder?.decode() ?? '',
  }
}

/**
 * HTML and XML name their encoding themselves; all else by its charset parameter, or UTF-8.
 * `isCut`: the last character may not be whole.
 */
function encodingOf(bytes: Uint8Array, type: MIMEType | null, isCut: boolean): string {
  const start = bytes.subarray(0, SNIFFED_BYTES)
  const label = type?.params.get('charset')
  const transport = label ? { transportLayerEncodingLabel: label } : {}
  const essence = type?.essence ?? ''
  if (essence === 'text/html') {
    const named = sniffEncoding(start, { ...transport, defaultEncoding: '' })
    // Browsers find a later `<meta charset>` too
    // (https://html.spec.whatwg.org/#change-the-encoding), and text in another encoding is hardly
    // ever valid UTF-8.
    return named || (isUtf8(bytes, isCut) ? 'UTF-8' : 'windows-1252')
  }
  if (/^(text|application)\/xml$|\+xml$/.test(essence)) {
    return sniffEncoding(start, { ...transport, xml: true })
  }
  return sniffEncoding(start, { ...transport, maxPrescanBytes: 0, defaultEncoding: 'UTF-8' })
}

function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return true
  } catch {
    return false
  }
}

/** Some encodings have no decoder, such as https://encoding.spec.whatwg.org/#replacement. */
function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}

/** A Content-Type that is broken counts as none. */
export function parseMime(contentType: string | undefined): MIMEType | null {
  try {
    return contentType === undefined ? null : new MIMEType(contentType)
  } catch {
    return null
  }
}

/** The parts of a body as one, in memory of its own, so that it can be given away. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Feeds are offered as `.gz` files too, under any Content-Type (RFC 1952, 2.3.1). */
const MAGIC = [0x1f, 0x8b]

/** So few bytes at a time that what they expand to is small. */
const SLICE = 4096

/** Bytes as they are, or as they were before they were compressed. */
interface Unzip {
  /** Calls `take` with each piece, and stops where it gives false. False: there will be no more. */
  write(bytes: Uint8Array, take: Take): Promise<boolean>
  /** What is wrong with the data, once all of it is written: `cut` is without its end. */
  fault(): Promise<'broken' | 'expands' | 'cut' | null>
  close(): void
}

type Take = (bytes: Uint8Array) => Promise<boolean>

/** Recognised by the first bytes. Data that is broken, or expands too much, ends there. */
export function createUnzip(): Unzip {
  let gunzip: zlib.Gunzip | null | undefined
  let pieces: Uint8Array[] = []
  let sent = 0
  let got = 0
  let broken = false
  let expands = false

  const start = (): zlib.Gunzip => {
    const stream = zlib.createGunzip()
    stream.on('error', () => {
      broken = true
    })
    stream.on('data', (piece: Buffer) => {
      got += piece.length
      if (got > RATIO_FREE_BYTES && got > sent * MAX_RATIO) {
        broken = true
        expands = true
        stream.destroy()
      } else pieces.push(piece)
    })
    return stream
  }
  const expand = (stream: zlib.Gunzip, slice: Uint8Array) =>
    new Promise<void>((resolve) => {
      sent += slice.length
      stream.once('close', resolve)
      stream.write(slice, () => {
        stream.off('close', resolve)
        resolve()
      })
    })

  return {
    async write(bytes, take) {
      if (gunzip === undefined) {
        gunzip = MAGIC.every((byte, index) => bytes[index] === byte) ? start() : null
      }
      if (gunzip === null) return take(bytes)
      for (let at = 0; at < bytes.length && !broken; at += SLICE) {
        await expand(gunzip, bytes.subarray(at, at + SLICE))
        const ready = pieces
        pieces = []
        for (const piece of ready) if (!(await take(piece))) return false
      }
      return !broken
    },
    async fault() {
      if (!gunzip) return null
      if (expands) return 'expands'
      if (broken) return 'broken'
      const stream = gunzip
      return new Promise((resolve) => {
        stream.once('error', (error) =>
          resolve(codingError(error) === 'Z_BUF_ERROR' ? 'cut' : 'broken'),
        )
        stream.once('end', () => resolve(null))
        stream.end()
      })
    },
    close: () => gunzip?.destroy(),
  }
}
