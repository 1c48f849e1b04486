import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from '../../http/codings.ts'
import { etagOf } from '../../http/kept-text.ts'

/** A version, as a pattern. */
export const VERSION = '[0-9a-f]{16}'

/** attribution.js as it goes out: the same for every property. */
export interface SnippetAsset {
  /** Derived from the code: different code has a different version. */
  version: string
  /** For the `integrity` attribute of a tag that is pinned to this version. */
  integrity: string
  bodies: Record<Coding, { bytes: Uint8Array<ArrayBuffer>; etag: string }>
}

/** The build puts the snippet next to the bundle of the server. */
const BESIDE = new URL('./attribution.js', import.meta.url)

/**
 * Node's default is already the highest quality. Which window, literal contexts and distance codes
 * (RFC 7932, 9.1, 7.1 and 4) make a text as short as this one smallest, only trying them all tells.
 */
const BROTLI = [11, 16].flatMap((window) =>
  [0, 1].flatMap((single) =>
    [
      [0, 0],
      [0, 7],
      [3, 16],
    ].map(([postfix = 0, direct = 0]) => ({
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING]: single,
      [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
      [constants.BROTLI_PARAM_NDIRECT]: direct,
    })),
  ),
)

const shortest = (texts: readonly Buffer[]): Buffer =>
  texts.reduce((best, each) => (each.length < best.length ? each : best))

/** Compresses the code once for all requests, at a level that is too slow for each of them. */
export async function prepareSnippet(code: string): Promise<SnippetAsset> {
  const plain = Buffer.from(code)
  const sha384 = hash('sha384', plain, 'buffer')
  // 64 bits: enough to tell versions apart; the tag's integrity uses the whole hash.
  const version = sha384.toString('hex').slice(0, 16)
  const body = (coding: Coding, bytes: Buffer) => ({
    bytes: new Uint8Array(bytes),
    etag: etagOf(version, coding),
  })
  const [br, gz] = await Promise.all([
    Promise.all(BROTLI.map((params) => promisify(brotliCompress)(plain, { params }))).then(
      shortest,
    ),
    promisify(gzip)(plain, { level: 9 }),
  ])
  return {
    version,
    integrity: `sha384-${sha384.toString('base64')}`,
    bodies: { br: body('br', br), gzip: body('gzip', gz), identity: body('identity', plain) },
  }
}

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadSnippet(file: URL = BESIDE): Promise<SnippetAsset> {
  const code = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `The snippet ${fileURLToPath(file)} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
      { cause },
    )
  })
  return prepareSnippet(code)
}

/**
 * The script tags of a property, for the `<head>` of a storefront. The pinned one has a hash
 * (https://www.w3.org/TR/SRI/), for which the browser must load it with CORS.
 */
export function snippetTags(
  { version, integrity }: Pick<SnippetAsset, 'version' | 'integrity'>,
  baseUrl: string,
  propertyId: string,
  lookbackDays: number | null = null,
): { tag: string; pinned_tag: string } {
  const src = (base: string) => escapeAttribute(`${base}/attribution.js?id=${propertyId}`)
  const lookback = lookbackDays === null ? '' : ` data-lookback="${lookbackDays}"`
  return {
    tag: `<script async src="${src(baseUrl)}"${lookback}></script>`,
    pinned_tag: `<script async src="${src(`${baseUrl}/${version}`)}"${lookback} integrity="${integrity}" crossorigin="anonymous"></script>`,
  }
}

/** An operator's BASE_URL may hold an ampersand or a quote. */
const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
