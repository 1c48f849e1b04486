import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Coding, compressOnce } from '../http/codings.ts'

/** What the bundle builds for browsers. */
export const ASSET_NAMES = [
  'style.css',
  'favicon.svg',
  'copy.js',
  'manifest.js',
  'schema.js',
  'validate.js',
  'walk.js',
  'run.js',
  'properties.js',
] as const

export type AssetName = (typeof ASSET_NAMES)[number]

interface Asset {
  type: string
  /** Compressed on its first request, and kept. */
  body: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * The pages' style, scripts and icon. A name carries a hash of the content, so it never changes.
 */
export interface PageAssets {
  /** `style.css` → `style.1a2b3c4d5e6f.css`. */
  fileOf: (name: AssetName) => string
  find: (file: string) => Asset | undefined
}

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export function prepareAssets(contents: Record<AssetName, Uint8Array | string>): PageAssets {
  const files = new Map<AssetName, string>()
  const assets = new Map<string, Asset>()
  for (const name of ASSET_NAMES) {
    const bytes = Buffer.from(contents[name])
    const digest = hash('sha256', bytes).slice(0, 12)
    const file = name.replace(/\.(\w+)$/, `.${digest}.$1`)
    files.set(name, file)
    assets.set(file, { type: TYPES[name.split('.').at(-1) ?? ''] ?? '', body: compressOnce(bytes) })
  }
  return { fileOf: (name) => files.get(name) ?? name, find: (file) => assets.get(file) }
}

const BESIDE = new URL('./assets/', import.meta.url)

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadAssets(): Promise<PageAssets> {
  const read = async (name: AssetName): Promise<[AssetName, Uint8Array]> => {
    const file = new URL(name, BESIDE)
    const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
      const path = fileURLToPath(file)
      throw new Error(
        `The page asset ${path} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
        { cause },
      )
    })
    return [name, bytes]
  }
  return prepareAssets(asRecord(await Promise.all(ASSET_NAMES.map(read))))
}

/** For tests that need no assets. */
export const ASSETS_WITHOUT_CONTENT = asRecord(ASSET_NAMES.map((name) => [name, '']))

/** Guarantees one entry per name: it is called with the entries of all names. */
function asRecord<T>(entries: [AssetName, T][]): Record<AssetName, T> {
  return Object.fromEntries(entries) as Record<AssetName, T>
}
