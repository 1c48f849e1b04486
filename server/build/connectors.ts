import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'

const CONNECTORS = 'server/connectors'
const CODE = 'server/pages/tools/orders/code'

/** A part of a connector that is a script of the recipes, and where it stands there. */
type Scripts = Readonly<Record<string, string>>

/**
 * The plugin for WooCommerce as WordPress installs it. The script that passes the visit on is the
 * one of the recipes.
 */
export const zipPlugin = (): Promise<Uint8Array> =>
  zipOf('woocommerce/aisle', { 'assets/visit.js': 'page/visit-cookie.html' })

/** The app for Shopify, as its command line deploys it. */
export const zipShopifyApp = (): Promise<Uint8Array> =>
  zipOf('shopify/aisle', {
    'extensions/aisle-tag/assets/visit.js': 'page/visit-cookie.html',
    'extensions/aisle-tag/assets/cart.js': 'shopify/theme.html',
  })

/** The same files give the same bytes. */
async function zipOf(folder: string, scripts: Scripts): Promise<Uint8Array> {
  const root = join(CONNECTORS, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const files = await Promise.all(
    paths
      .toSorted()
      .map(async (path) => [`aisle${path.slice(root.length)}`, await readFile(path)] as const),
  )
  const made = await Promise.all(
    Object.entries(scripts).map(async ([path, code]) => {
      const html = await readFile(join(CODE, code), 'utf8')
      return [`aisle/${path}`, Buffer.from(html.replace(/<\/?script>\n/g, ''))] as const
    }),
  )
  return zipSync(Object.fromEntries([...files, ...made]), { mtime: new Date(1985, 9, 26) })
}
