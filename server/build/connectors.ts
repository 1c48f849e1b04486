import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'

const PLUGIN = 'server/connectors/woocommerce/aisle'
const COOKIE = 'server/pages/tools/orders/code/page/visit-cookie.html'

/**
 * The plugin for WooCommerce as WordPress installs it. The script that passes the visit on is the
 * one of the recipes. The same files give the same bytes.
 */
export async function zipPlugin(): Promise<Uint8Array> {
  const entries = await readdir(PLUGIN, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const files = await Promise.all(
    paths
      .toSorted()
      .map(async (path) => [`aisle${path.slice(PLUGIN.length)}`, await readFile(path)] as const),
  )
  const cookie = (await readFile(COOKIE, 'utf8')).replace(/<\/?script>\n/g, '')
  return zipSync(
    { ...Object.fromEntries(files), 'aisle/assets/visit.js': Buffer.from(cookie) },
    { mtime: new Date(1985, 9, 26) },
  )
}
