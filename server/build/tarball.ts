import { gzipSync } from 'node:zlib'
import { createTar } from 'nanotar'

/** A file of a package. */
export interface PackedFile {
  /** Below the package's folder, with `/`. */
  name: string
  data: Uint8Array | string
  /** An executable. */
  runs?: boolean
}

/**
 * A package as npm installs it from a file. The same files give the same bytes, so that a lockfile
 * changes only with the package.
 */
export const tarballOf = (files: readonly PackedFile[]): Uint8Array =>
  gzipSync(
    createTar(
      files.map(({ name, data, runs = false }) => ({
        name: `package/${name}`,
        data,
        // As `npm pack` does it: one fixed time for all files.
        attrs: {
          mode: runs ? '755' : '644',
          uid: 0,
          gid: 0,
          mtime: Date.UTC(1985, 9, 26, 8, 15),
        },
      })),
    ),
  )
