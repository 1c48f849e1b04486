import { extname } from 'node:path'
import { printable } from '../../../shared/web/text/printable.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { CommandReport } from './report.ts'

/** A report as a document of one format. */
type Writer = (report: CommandReport) => string

interface DocumentRow {
  /** The ending of its files. */
  ending: string
  /** Loaded when it is needed. */
  load: () => Promise<Writer>
  /** The only command that has it; by default all have. */
  only?: CommandReport['command']
  /** False if errors of the command are not written in it. */
  errors?: false
}

/** Every format that is a document. A new one is one file in this folder and one line here. */
export const DOCUMENTS = {
  text: { ending: '.txt', load: async () => (await import('./text.ts')).textReport },
  json: { ending: '.json', load: async () => (await import('./json.ts')).jsonReport },
  markdown: { ending: '.md', load: async () => (await import('./markdown.ts')).markdownReport },
  junit: { ending: '.xml', load: async () => (await import('./junit.ts')).junitReport },
  sarif: { ending: '.sarif', load: async () => (await import('./sarif.ts')).sarifReport },
  // Requests that a browser or a terminal can repeat: an error has none.
  har: {
    ending: '.har',
    load: async () => (await import('./exchanges.ts')).harReport,
    only: 'walk',
    errors: false,
  },
  curl: {
    ending: '.sh',
    load: async () => (await import('./exchanges.ts')).curlReport,
    only: 'walk',
    errors: false,
  },
} satisfies Record<string, DocumentRow>
export type DocumentFormat = keyof typeof DOCUMENTS

/** `github` is for the log of a job, not a document. */
export type Format = DocumentFormat | 'github'

const rowOf = (name: DocumentFormat): DocumentRow => DOCUMENTS[name]

const documentsOf = (command: CommandReport['command']): DocumentFormat[] =>
  (Object.keys(DOCUMENTS) as DocumentFormat[]).filter((name) => {
    const { only = command } = rowOf(name)
    return only === command
  })

/** The formats of a command, its own at the end. */
export function formatsOf(command: CommandReport['command']): Format[] {
  const own = Object.groupBy(documentsOf(command), (name) => rowOf(name).only ?? 'all')
  return [...(own.all ?? []), 'github', ...(own[command] ?? [])]
}

/** Whether an error of a command is written in it. */
export const writesErrors = (format: Format): boolean =>
  format === 'github' || rowOf(format).errors !== false

/** For the help of a command. */
export function formatsInWords(command: CommandReport['command']): string {
  const names = formatsOf(command)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** A command's flags about its output. */
export interface FormatFlags {
  json?: boolean
  format?: string
  output?: readonly string[]
}

/** The targets of the output. */
export interface Destinations {
  /** What the terminal shows. */
  terminal: Format
  files: { file: string; format: DocumentFormat }[]
}

// Unspecified: with --output the file has the format, and the terminal shows the text; several
// files have formats by their endings. `github` is always for the terminal, because a runner reads
// its commands there.
/** Where the output goes, by the flags. Throws a `CommandError` that names the formats. */
export function readDestinations(
  { json = false, format, output = [] }: FormatFlags,
  command: CommandReport['command'],
): Destinations {
  const all = formatsOf(command)
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(printable`Give --json or --format ${format}, not both.`)
  }
  const typed = json ? 'json' : format
  const asked = all.find((name) => name === typed)
  if (typed !== undefined && asked === undefined) {
    throw new CommandError(
      printable`--format does not know "${typed}". It takes ${all.join(', ')}.`,
    )
  }
  const documents = documentsOf(command)
  const named = documents.find((name) => name === asked)
  const files = output.map((file) => {
    const ending = extname(file).toLowerCase()
    const known =
      output.length === 1 && named !== undefined
        ? named
        : documents.find((name) => rowOf(name).ending === ending)
    if (known !== undefined) return { file, format: known }
    throw new CommandError(
      output.length === 1
        ? printable`--format says what ${file} is to hold: ${documents.join(', ')}.`
        : printable`The ending of ${file} does not say what it is to hold. Give it one of ${documents.map((name) => rowOf(name).ending).join(', ')}.`,
    )
  })
  return { terminal: files.length > 0 && named !== undefined ? 'text' : (asked ?? 'text'), files }
}
