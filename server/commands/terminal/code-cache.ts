import { isAbsolute, join } from 'node:path'

/**
 * The folder in which Node keeps the compiled code of this version of the package between commands:
 * in the user's cache folder. Null if the user has none; a folder that others may write to, such as
 * that of temporary files, would let them choose what runs here.
 */
export function codeCacheFolder(
  version: string,
  { HOME = '', XDG_CACHE_HOME = '', LOCALAPPDATA = '' }: Record<string, string | undefined>,
  platform: NodeJS.Platform,
): string | null {
  const below = (folder: string, ...names: string[]) =>
    isAbsolute(folder) ? join(folder, ...names, 'aisle', version) : null
  if (platform === 'win32') return below(LOCALAPPDATA)
  if (platform === 'darwin') return below(HOME, 'Library', 'Caches')
  // Relative paths are ignored (XDG Base Directory Specification).
  return below(XDG_CACHE_HOME) ?? below(HOME, '.cache')
}
