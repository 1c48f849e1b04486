import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import { decodeBody } from './decode.ts'
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
export interface BodyOptions {
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
