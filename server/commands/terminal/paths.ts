import { realpath } from 'node:fs/promises'
import nodePath from 'node:path'

/** The paths of this system, or of a given one. */
type Paths = Pick<
  typeof nodePath,
  'isAbsolute' | 'join' | 'dirname' | 'relative' | 'resolve' | 'sep'
>

/**
 * An address rather than a file: a scheme of one letter is a drive of Windows (`C://last.json`).
 */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text)

/**
 * A file that another one names: relative to that one's folder, unless it is absolute or an
 * address.
 */
export const pathBeside = (file: string, named: string, paths: Paths = nodePath): string =>
  isAddress(named) || paths.isAbsolute(named) ? named : paths.join(paths.dirname(file), named)

/** Whether two names lead to the same file, which need not exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => realpath(file).catch(() => nodePath.resolve(file))),
  )
  return first === second
}

/**
 * A file as reports name it: from the working folder, with `/` on each system. On another drive of
 * Windows it is absolute.
 */
export const shownPath = (
  path: string,
  { paths = nodePath, cwd = process.cwd() }: { paths?: Paths; cwd?: string } = {},
): string => paths.relative(cwd, paths.resolve(cwd, path)).split(paths.sep).join('/') || path

/** Such a name as a URI reference (RFC 3986; SARIF 2.1.0, 3.4.3). */
export function uriOfPath(shown: string): string {
  const [first = '', ...rest] = shown.split('/')
  const drive = /^[a-z]:$/i.test(first) ? `file:///${first}` : encodeURIComponent(first)
  return [drive, ...rest.map(encodeURIComponent)].join('/')
}
