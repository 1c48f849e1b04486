import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What the service offers to download, packed by the bundle. */
export const DOWNLOADS = [
  'aisle-node.tgz',
  'aisle-woocommerce.zip',
  'aisle-shopify.zip',
  'aisle-medusa.tgz',
  'aisle-vendure.tgz',
] as const
type Download = (typeof DOWNLOADS)[number]

/** The files of the recipes. */
export interface RecipeFiles {
  /**
   * The code by its path below `code/`, such as `node/server.js`: the very files that are tested.
   */
  code: Readonly<Record<string, string>>
  downloads: Readonly<Record<Download, Uint8Array<ArrayBuffer>>>
  /** The code of collectors, by its path below their `code/`. */
  collectors: Readonly<Record<string, string>>
}

/** The placeholders for a store's own values in the code. */
const OWN = /https:\/\/aisle\.example|(prop_0123456789abcdefghij)("(?= ?\/?>))?|shop\.example/g

export interface OwnNames {
  baseUrl: string
  domain: string
  /** The id of the property. */
  id: string
  /** How far it looks back, if it says so. */
  lookback_days?: number | null | undefined
}

/** The code with a store's own values in it. */
export const fillIn = (
  code: string,
  { baseUrl, domain, id, lookback_days = null }: OwnNames,
): string =>
  code.replace(OWN, (name, property: string | undefined, quote = '') => {
    if (name === 'shop.example') return domain
    if (property === undefined) return baseUrl
    // At the end of a tag, in which more can be said.
    const more = quote === '' || lookback_days === null ? '' : ` data-lookback="${lookback_days}"`
    return id + quote + more
  })

const CODE = new URL('./recipes.json', import.meta.url)
const COLLECTORS = new URL('./collectors.json', import.meta.url)

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadRecipeFiles(): Promise<RecipeFiles> {
  const code = JSON.parse(String(await readBuilt(CODE)))
  const read = async (name: Download) =>
    [name, new Uint8Array(await readBuilt(new URL(`./${name}`, import.meta.url)))] as const
  const downloads = Object.fromEntries(await Promise.all(DOWNLOADS.map(read)))
  const collectors = JSON.parse(String(await readBuilt(COLLECTORS)))
  return { code, collectors, downloads: downloads as RecipeFiles['downloads'] }
}

const readBuilt = (file: URL): Promise<Buffer> =>
  readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `${fileURLToPath(file)} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
      { cause },
    )
  })
