import { execFile } from 'node:child_process'
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
