import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { type PackedFile, tarballOf } from './tarball.ts'

const SOURCES = '.medusa/server/src'
const MODULE = `${SOURCES}/modules/aisle`
const UCP = `${SOURCES}/api/aisle/ucp/catalog`

/** Where Medusa looks for each part of a plugin, and what it is made of. */
const MEDUSA = {
  [`${MODULE}/index.js`]: 'module.ts',
  [`${MODULE}/models/report.js`]: 'report-model.ts',
  [`${MODULE}/migrations/Migration20261201000000.js`]: 'migration.ts',
  [`${SOURCES}/subscribers/orders.js`]: 'on-order.ts',
  [`${SOURCES}/jobs/send-waiting.js`]: 'send-waiting.ts',
  [`${SOURCES}/api/middlewares.js`]: 'middlewares.ts',
  [`${SOURCES}/api/.well-known/ucp/route.js`]: 'profile-route.ts',
  [`${UCP}/search/route.js`]: 'search-route.ts',
  [`${UCP}/lookup/route.js`]: 'lookup-route.ts',
  [`${UCP}/product/route.js`]: 'product-route.ts',
}

const VENDURE = { 'index.js': 'plugin.ts' }

/** The plugin for Medusa as npm installs it: `npm install ./aisle-medusa.tgz`. */
export const packMedusa = () => packPlugin('server/connectors/medusa', MEDUSA)

/** The plugin for Vendure as npm installs it. */
export const packVendure = () => packPlugin('server/connectors/vendure', VENDURE, ['index.d.ts'])

/** A package of CommonJS, as both platforms load their plugins. */
async function packPlugin(
  folder: string,
  made: Record<string, string>,
  others: readonly string[] = [],
): Promise<Uint8Array> {
  const code = await Promise.all(
    Object.entries(made).map(async ([name, source]): Promise<PackedFile> => {
      const { outputFiles } = await build({
        entryPoints: [join(folder, source)],
        write: false,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        packages: 'external',
        logLevel: 'warning',
        plugins: [keepParts(folder, made, name)],
      })
      return { name, data: outputFiles.map(({ text }) => text).join('') }
    }),
  )
  const kept = await Promise.all(
    ['package.json', 'README.md', ...others].map(async (name) => ({
      name,
      data: await readFile(join(folder, name)),
    })),
  )
  return tarballOf([...code, ...kept])
}

/** A part that is a file of its own is there once, and the others load it. */
const keepParts = (folder: string, made: Record<string, string>, from: string): Plugin => ({
  name: 'keep-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = relative(resolve(folder), resolve(resolveDir, path))
      const name = Object.keys(made).find((each) => made[each] === source)
      if (name === undefined) return undefined
      const to = relative(dirname(from), name)
      return { path: to.startsWith('.') ? to : `./${to}`, external: true }
    })
  },
})
