import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { Context } from 'hono'
import { MAX_FEED } from '../../../audit/check-feed.ts'
import { ApiError } from '../../../http/api-error.ts'

/** A file as it arrives: nothing of it is kept. */
interface UploadedFile {
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Reads a form with a file, which `use` reads while it arrives; the fields before it are there by
 * then. `used` is null where no file was chosen. Throws 415 for another body, 400 for a form that
 * is not whole and 413 for a file that is too large.
 */
export async function readUpload<Used>(
  c: Context,
  use: (file: UploadedFile, fields: URLSearchParams) => Promise<Used>,
): Promise<{ fields: URLSearchParams; used: Used | null }> {
  const type = c.req.header('Content-Type') ?? ''
  const { body } = c.req.raw
  if (body === null || !/^multipart\/form-data\s*;/i.test(type)) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'Send the form as multipart/form-data, as the page does.',
    )
  }
  const fields = new URLSearchParams()
  let using: Promise<Used> | null = null
  let reading: Readable | null = null
  let isTooLarge = false
  const form = open(type)
  form.on('field', (name, value) => fields.append(name, value))
  form.on('file', (_field, file, name) => {
    // Without a listener, one that breaks off would end the process.
    file.on('error', () => {})
    file.on('limit', () => {
      isTooLarge = true
    })
    // A field without a file is sent with an empty name.
    if (!name || using !== null) file.resume()
    else {
      reading = file
      using = use({ name, bytes: file }, fields)
      // It is awaited below, and until then the form is still being read.
      using.catch(() => file.resume())
    }
  })
  try {
    await pipeline(Readable.from(chunksOf(body)), form)
  } catch (error) {
    // A file that breaks off before it is read has no end of its own.
    ;(reading as Readable | null)?.destroy()
    await (using as Promise<Used> | null)?.catch(() => {})
    if (error instanceof ApiError) throw error
    throw new ApiError(400, 'invalid_request', 'The form did not arrive whole. Send it again.')
  }
  const used = await using
  if (isTooLarge) throw tooLarge()
  return { fields, used }
}

const tooLarge = () =>
  new ApiError(
    413,
    'body_too_large',
    'The file is over 64 MiB. Compress it with gzip, or check it with the command: npx aisle feed check.',
  )

function open(type: string): Busboy {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files: 1, fileSize: MAX_FEED, fields: 20, fieldSize: 2000, parts: 25 },
    })
  } catch {
    throw new ApiError(400, 'invalid_request', 'The form has no boundary. Send it again.')
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
