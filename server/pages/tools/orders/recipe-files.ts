import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The files of the recipes. */
export interface RecipeFiles {
  /**
   * The code by its path below `code/`, such as `node/server.js`: the very files that are tested.
   */
  code: Readonly<Record<string, string>>
  /** `aisle-node`, as npm installs it. */
  aisleNode: Uint8Array<ArrayBuffer>
  /** The plugin for WooCommerce, as WordPress installs it. */
  wooCommerce: Uint8Array<ArrayBuffer>
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
const PACKAGE = new URL('./aisle-node.tgz', import.meta.url)
const PLUGIN = new URL('./aisle-woocommerce.zip', import.meta.url)

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadRecipeFiles(): Promise<RecipeFiles> {
  const read = async (file: URL) => new Uint8Array(await readBuilt(file))
  const code = JSON.parse(String(await readBuilt(CODE)))
  return { code, aisleNode: await read(PACKAGE), wooCommerce: await read(PLUGIN) }
}

const readBuilt = (file: URL): Promise<Buffer> =>
  readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `${fileURLToPath(file)} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
      { cause },
    )
  })
