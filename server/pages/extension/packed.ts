import { readdir, readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const BROWSERS = ['chrome', 'firefox'] as const
export type Browser = (typeof BROWSERS)[number]

/** The extension, packed for one browser. */
export interface PackedExtension {
  browser: Browser
  /** Such as `aisle-0.1.0-chrome.zip`. */
  file: string
  version: string
  bytes: number
  /** Rarely requested, so it is not kept in memory. */
  read: () => Promise<Uint8Array<ArrayBuffer>>
}

/** The file names that `npm run zip` writes (`extension/wxt.config.ts`). */
export const packedNames = (version: string): string[] =>
  BROWSERS.map((browser) => `aisle-${version}-${browser}.zip`)

const PACKED = /^aisle-([\d.]+)-(chrome|firefox)\.zip$/

const BESIDE = new URL('./extension/', import.meta.url)

/** The files that `npm run zip` put next to the bundle, one per browser; empty without them. */
export async function loadExtension(folder: URL = BESIDE): Promise<PackedExtension[]> {
  try {
    const names = await readdir(folder)
    const packed = await Promise.all(BROWSERS.map((browser) => findFor(browser, names, folder)))
    return packed.flatMap((each) => each ?? [])
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new Error(
      `The extension in ${fileURLToPath(folder)} cannot be read (${code}). Check that this user may read it, or delete the folder.`,
      { cause },
    )
  }
}

async function findFor(
  browser: Browser,
  names: readonly string[],
  folder: URL,
): Promise<PackedExtension | null> {
  const file = names.find((name) => PACKED.exec(name)?.[2] === browser)
  if (file === undefined) return null
  const path = new URL(file, folder)
  return {
    browser,
    file,
    version: PACKED.exec(file)?.[1] ?? '',
    bytes: (await stat(path)).size,
    read: async () => new Uint8Array(await readFile(path)),
  }
}
