import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How to reach a registry, and nothing else of this environment. */
export function registryEnvironment(): Record<string, string> {
  const passed = /^(npm_config_registry|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_\w+)$/i
  const kept = Object.entries(process.env).filter(([name]) => passed.test(name))
  // Programs of our own node_modules would stand in for what is missing elsewhere.
  const path = process.env.PATH?.split(':').filter((each) => !each.includes('node_modules'))
  return { ...Object.fromEntries(kept.map(([k, v]) => [k, v ?? ''])), PATH: path?.join(':') ?? '' }
}

/** What npm says when nobody answers, rather than that there is no such package. */
const UNREACHABLE =
  /^npm \S+ code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E5\d\d)$/m

/**
 * Installs packages at exact versions below a folder, without running a script of theirs. False:
 * the registry cannot be reached. Rejects with npm's words where it can, and has not what was asked
 * for.
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  env: Record<string, string> = registryEnvironment(),
): Promise<boolean> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  // What an earlier run has fetched is not fetched again.
  const sparing = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']
  const args = ['install', '--prefix', folder, ...quiet, ...sparing, ...packages]
  try {
    await run('npm', args, { env })
    return true
  } catch (error) {
    if (UNREACHABLE.test(String(Object(error).stderr))) return false
    throw error
  }
}

/** Fetched once for this clone: what a single test needs is too much for every install. */
const CACHE = 'node_modules/.cache/packages'

/**
 * The folder `node_modules` of packages that no install brings, at exact versions. Null, for tests
 * that are then skipped: the registry cannot be reached. With `CI=true` that is an error.
 */
export async function packagesForTests(...packages: string[]): Promise<string | null> {
  const place = resolve(CACHE, packages.join('+').replaceAll('/', '+'))
  const modules = join(place, 'node_modules')
  if (existsSync(place)) return modules
  const folder = `${place}.${process.pid}.tmp`
  try {
    await mkdir(folder, { recursive: true })
    if (!(await installPackages(folder, packages))) {
      const missing = `The npm registry cannot be reached, which has ${packages.join(' and ')}.`
      if (process.env.CI === 'true') throw new Error(missing)
      process.stdout.write(`${missing} Tests that need it are skipped.\n`)
      return null
    }
    // Another worker may have been first.
    await rename(folder, place).catch(() => {})
    return modules
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
