import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

/** Where Debian's programs are on this machine. */
export interface DebianPrograms {
  /** The folder with initdb, postgres, pg_ctl, pg_dump and pg_restore, of the newest version. */
  postgres: string
  caddy: string
}

const PACKAGES = ['postgresql', 'caddy', 'util-linux']

/** Null where one is missing and cannot be installed quietly. */
export const findOrInstall = (): DebianPrograms | null => find() ?? install()

function find(): DebianPrograms | null {
  const postgres = globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => ['initdb', 'pg_dump'].every((name) => existsSync(`${folder}/${name}`)))
    .toSorted((a, b) => versionOf(a) - versionOf(b))
    .at(-1)
  const caddy = '/usr/bin/caddy'
  const all = existsSync(caddy) && existsSync('/usr/bin/setpriv')
  return postgres !== undefined && all ? { postgres, caddy } : null
}

const versionOf = (folder: string): number => Number(folder.split('/')[4])

/** As root on Debian, which is what containers are; nobody else is asked for a password. */
function install(): DebianPrograms | null {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!mayInstall) return null
  const aptGet = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'inherit' })
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...PACKAGES)
  } catch {
    // What apt-get has to say stands above.
  }
  return find()
}
