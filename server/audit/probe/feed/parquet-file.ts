import type { FileHandle } from 'node:fs/promises'
import type { AsyncBuffer } from 'hyparquet'

/**
 * Memory that what is read next takes over. Left to be collected, the pages of several row groups
 * would be there at a time.
 */
export interface Space {
  bytes: Uint8Array<ArrayBuffer>
}

/** What a space gets more than is asked for: the next row group's page is often a little larger. */
const SPARE = 1.05

/**
 * The first bytes of a space, which grows where it is too small. What they held is lost: its memory
 * is freed before there is more, not when it is collected.
 */
export function roomIn(space: Space, size: number): Uint8Array {
  if (space.bytes.length < size) {
    if (space.bytes.length > 0) space.bytes.buffer.transfer(0)
    space.bytes = new Uint8Array(Math.ceil(size * SPARE))
  }
  return space.bytes.subarray(0, size)
}

/** A file in Parquet, any part of which can be read. */
export interface ParquetFile extends AsyncBuffer {
  /** The bytes between two places; they last until the space is used again. */
  read(from: number, to: number, space: Space): Promise<Uint8Array>
}

export const parquetInMemory = (bytes: Uint8Array<ArrayBuffer>): ParquetFile => ({
  byteLength: bytes.length,
  slice: async (from, to) => bytes.slice(from, to).buffer,
  read: async (from, to) => bytes.subarray(from, to),
})

/** An open file, whose size is known. */
export function parquetInFile(handle: FileHandle, byteLength: number): ParquetFile {
  const fill = async <Room extends Uint8Array>(room: Room, from: number): Promise<Room> => {
    let at = 0
    while (at < room.length) {
      const { bytesRead } = await handle.read(room, at, room.length - at, from + at)
      if (bytesRead === 0) throw new Error('the file has become shorter')
      at += bytesRead
    }
    return room
  }
  const sizeOf = (from: number, to: number) => Math.max(0, Math.min(to, byteLength) - from)
  return {
    byteLength,
    async slice(from, to = byteLength) {
      return (await fill(new Uint8Array(sizeOf(from, to)), from)).buffer
    },
    read: (from, to, space) => fill(roomIn(space, sizeOf(from, to)), from),
  }
}
