import { rename, rm, writeFile } from 'node:fs/promises'
import { printable } from '../../../shared/web/printable.ts'
import { CommandError } from './command-error.ts'

/** Writes a file whole or not at all: until it is complete, the last one stays. */
export async function replaceFile(file: string, data: string | Uint8Array): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  try {
    await writeFile(beside, data)
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(printable`${file} cannot be written: ${reason}. Name another file.`)
  }
}
