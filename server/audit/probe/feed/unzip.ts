import zlib from 'node:zlib'

/** Feeds are offered as `.gz` files too, under any Content-Type (RFC 1952, 2.3.1). */
const MAGIC = [0x1f, 0x8b]

/** Text of shops shrinks to a tenth; more than this is made to fill memory. */
const MAX_RATIO = 100
const RATIO_FREE_BYTES = 1024 * 1024

/** So few bytes at a time that what they expand to is small. */
const SLICE = 4096

/** Bytes as they are, or as they were before they were compressed. */
interface Unzip {
  /** Calls `take` with each piece, and stops where it gives false. False: there will be no more. */
  write(bytes: Uint8Array, take: Take): Promise<boolean>
  close(): void
}

type Take = (bytes: Uint8Array) => Promise<boolean>

/** Recognised by the first bytes. Data that is broken, or expands too much, ends there. */
export function createUnzip(): Unzip {
  let gunzip: zlib.Gunzip | null | undefined
  let pieces: Uint8Array[] = []
  let sent = 0
  let got = 0
  let broken = false

  const start = (): zlib.Gunzip => {
    const stream = zlib.createGunzip()
    stream.on('error', () => {
      broken = true
    })
    stream.on('data', (piece: Buffer) => {
      got += piece.length
      if (got > RATIO_FREE_BYTES && got > sent * MAX_RATIO) {
        broken = true
        stream.destroy()
      } else pieces.push(piece)
    })
    return stream
  }
  const expand = (stream: zlib.Gunzip, slice: Uint8Array) =>
    new Promise<void>((resolve) => {
      sent += slice.length
      stream.once('close', resolve)
      stream.write(slice, () => {
        stream.off('close', resolve)
        resolve()
      })
    })

  return {
    async write(bytes, take) {
      if (gunzip === undefined) {
        gunzip = MAGIC.every((byte, index) => bytes[index] === byte) ? start() : null
      }
      if (gunzip === null) return take(bytes)
      for (let at = 0; at < bytes.length && !broken; at += SLICE) {
        await expand(gunzip, bytes.subarray(at, at + SLICE))
        const ready = pieces
        pieces = []
        for (const piece of ready) if (!(await take(piece))) return false
      }
      return !broken
    },
    close: () => gunzip?.destroy(),
  }
}
