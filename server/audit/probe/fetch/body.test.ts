import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody } from './body.ts'

const MIB = 1024 * 1024

interface Given {
  type?: string
  coding?: string
  maxBytes?: number
  /** Size of the pieces that the wire delivers. */
  piece?: number
  read?: (bytes: Uint8Array) => boolean
}

function readBytes(bytes: Uint8Array, { type, coding, maxBytes = MIB, piece, read }: Given = {}) {
  const size = piece ?? Math.max(bytes.length, 1)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    Buffer.from(bytes.subarray(i * size, (i + 1) * size)),
  )
  const headers = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(coding === undefined ? {} : { 'content-encoding': coding }),
  }
  return readBody(Readable.from(pieces), headers, { maxBytes, ...(read ? { read } : {}) })
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const utf8 = (text: string) => Buffer.from(text)
const declared = '<?xml version="1.0" encoding="ISO-8859-1"?><t>é</t>'

/** Its declaration stands behind the bytes that are sniffed. */
const late = `${'<!-- a page -->'.repeat(100)}<meta charset=utf-8>Stühle`

describe('the encoding comes from', () => {
  test.each([
    ['UTF-8 where nothing is said', utf8('é€'), 'application/json', 'é€'],
    ['UTF-8 without a content type', utf8('é€'), undefined, 'é€'],
    ['UTF-8 for a content type that is none', utf8('é€'), 'nonsense', 'é€'],
    ['the charset parameter', latin1('é'), 'text/csv; charset=iso-8859-1', 'é'],
    ['a BOM before the charset parameter', utf16('é€'), 'text/csv; charset=utf-8', 'é€'],
    ['a UTF-8 BOM, which is no text', utf8('\ufeff{}'), 'application/json', '{}'],
    ['the HTML charset parameter', utf8('<p>€'), 'text/html; charset=utf-8', '<p>€'],
    ['<meta charset>', utf8('<meta charset=utf-8>€'), 'text/html', '<meta charset=utf-8>€'],
    ['windows-1252 for HTML that says nothing', Buffer.from([0x80]), 'text/html', '€'],
    ['UTF-8 for HTML that is valid so', utf8(late), 'text/html', late],
    ['windows-1252 for HTML that is not', latin1(late), 'text/html', late],
    ['the XML declaration', latin1(declared), 'text/xml', declared],
    ['UTF-8 for a name without decoder', utf8('é'), 'text/csv; charset=iso-2022-kr', 'é'],
  ])('%s', async (_, bytes, type, text) => {
    const given = type === undefined ? {} : { type }
    expect(await readBytes(bytes, given)).toEqual({ body: text, truncated: false })
    expect((await readBytes(bytes, { ...given, piece: 1 })).body).toBe(text)
  })
})

test('HTML in UTF-8 is read as such where it is cut within a character', async () => {
  const seen = await readBytes(utf8('日本'), { type: 'text/html', maxBytes: 4 })
  expect(seen).toEqual({ body: '日\ufffd', truncated: true })
})

describe('decompresses', () => {
  const text = 'shop '.repeat(5000)
  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', utf8(text)],
  ])('%s', async (coding, bytes) => {
    expect(await readBytes(bytes, { coding })).toEqual({ body: text, truncated: false })
    expect((await readBytes(bytes, { coding, piece: 7 })).body).toBe(text)
  })

  test.each(['gzip', 'br'])('no body at all, said to be %s', async (coding) => {
    expect(await readBytes(utf8(''), { coding })).toEqual({ body: '', truncated: false })
  })
})

describe('refuses', () => {
  test.each([
    ['two codings', 'gzip, gzip', gzipSync(gzipSync('x')), 'protocol', 'a single coding'],
    [
      'a coding nobody asked for',
      'deflate',
      deflateSync('x'),
      'protocol',
      'a single coding, gzip or br',
    ],
    ['an unknown coding', 'zip', utf8('x'), 'protocol', 'a single coding, gzip or br'],
    ['text said to be gzip', 'gzip', utf8('plain'), 'protocol', 'not valid gzip'],
    ['text said to be br', 'br', utf8('plain text'), 'protocol', 'not valid br'],
    ['half of a gzip', 'gzip', gzipSync('shop').subarray(0, 15), 'protocol', 'not valid gzip'],
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(4 * MIB)), 'too_large', '100 times'],
  ])('%s', async (_, coding, bytes, why, message) => {
    await expect(readBytes(bytes, { coding, maxBytes: 8 * MIB })).rejects.toMatchObject({
      why,
      message: expect.stringContaining(message),
    })
  })
})

test.each([
  ['shorter than the cap', 11, '0123456789', false],
  ['as long as the cap', 10, '0123456789', false],
  ['longer than the cap', 9, '012345678', true],
])('a body %s', async (_, maxBytes, body, truncated) => {
  expect(await readBytes(utf8('0123456789'), { maxBytes, piece: 4 })).toEqual({ body, truncated })
})

test('the cap counts decoded bytes', async () => {
  const bytes = gzipSync('ab'.repeat(5000))
  expect(bytes.length).toBeLessThan(100)
  const { body, truncated } = await readBytes(bytes, { coding: 'gzip', maxBytes: 100 })
  expect([body, truncated]).toEqual(['ab'.repeat(50), true])
})

test('a reader gets the bytes in pieces, and the result none of it', async () => {
  const seen: Uint8Array[] = []
  const read = (bytes: Uint8Array) => seen.push(bytes) > 0
  const { body, truncated } = await readBytes(utf8('é'.repeat(4000)), { piece: 999, read })
  expect([body, truncated]).toEqual(['', false])
  expect(Buffer.concat(seen).toString()).toBe('é'.repeat(4000))
  expect(seen.length).toBeGreaterThan(3)
})

test('a reader that has enough ends the stream', async () => {
  const wire = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(2000, 'x')))
  const seen: Uint8Array[] = []
  const read = (bytes: Uint8Array) => seen.push(bytes) < 2
  const result = await readBody(wire, {}, { maxBytes: MIB, read })
  expect(result).toEqual({ body: '', truncated: true })
  expect(seen).toHaveLength(2)
  expect(wire.destroyed).toBe(true)
})
