import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A line of the table that stands at the end of the run. */
export interface Figure {
  what: string
  value: string
}

const fileIn = (folder: string): string => join(folder, 'figures.jsonl')

export const noteFigure = ({ folder }: { folder: string }, what: string, value: string) =>
  appendFile(fileIn(folder), `${JSON.stringify({ what, value } satisfies Figure)}\n`)

export async function printFigures(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => '')
  const figures = text
    .split('\n')
    .filter(Boolean)
    .map((line): Figure => JSON.parse(line))
  const width = Math.max(0, ...figures.map(({ what }) => what.length))
  const lines = figures.map(({ what, value }) => `  ${what.padEnd(width)}  ${value}`)
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}
