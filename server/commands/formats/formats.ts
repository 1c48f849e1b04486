import { extname } from 'node:path'
import { printable } from '../../../shared/web/printable.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { CommandReport } from './report.ts'

/** A report as a document of one format. */
type Writer = (report: CommandReport) => string

/**
 * Every format that is a document: its writer, which is loaded when it is needed, and how a file of
 * it ends. A new format is one file beside this one and one line here.
 */
export const DOCUMENTS = {
  text: {
    ending: '.txt',
    load: async (): Promise<Writer> => (await import('./text.ts')).textReport,
  },
  json: {
    ending: '.json',
    load: async (): Promise<Writer> => (await import('./json.ts')).jsonReport,
  },
  markdown: {
    ending: '.md',
    load: async (): Promise<Writer> => (await import('./markdown.ts')).markdownReport,
  },
  junit: {
    ending: '.xml',
    load: async (): Promise<Writer> => (await import('./junit.ts')).junitReport,
  },
  sarif: {
    ending: '.sarif',
    load: async (): Promise<Writer> => (await import('./sarif.ts')).sarifReport,
  },
} as const
export type DocumentFormat = keyof typeof DOCUMENTS

/** `github` is for the log of a job, and no document. */
export const FORMATS = [...namesOf(DOCUMENTS), 'github'] as const
export type Format = (typeof FORMATS)[number]

/** What a walk can be written as besides: requests as a browser or a terminal repeats them. */
export const EXCHANGES = { har: '.har', curl: '.sh' } as const

/** As the help names them, with those that one command has besides. */
export function formatsInWords(extras: ExtraFormats<string> = {}): string {
  const names = [...FORMATS, ...namesOf(extras)]
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** The keys of a table, which has no others. */
function namesOf<Name extends string>(table: Record<Name, unknown>): Name[] {
  return Object.keys(table) as Name[]
}

/** What the flags of a command say about its output. */
export interface FormatFlags {
  json?: boolean
  format?: string
  output?: readonly string[]
}

/** What is written where. `extra` are formats that one command has besides. */
export interface Destinations<Extra extends string = never> {
  /** What the terminal shows. */
  terminal: Format | Extra
  files: { file: string; format: DocumentFormat | Extra }[]
}

/** A format that one command has besides: its name, and how a file of it ends. */
export type ExtraFormats<Extra extends string> = Readonly<Record<Extra, string>>

// Unspecified: with --output the file has the format, and the terminal shows the text; several
// files have theirs by their endings. `github` is always for the terminal, as a runner reads its
// commands there.
/** Where the output goes, by the flags. Throws a `CommandError` that names the formats. */
export function readDestinations<Extra extends string = never>(
  { json = false, format, output = [] }: FormatFlags,
  extras?: ExtraFormats<Extra>,
): Destinations<Extra> {
  const more = extras === undefined ? [] : namesOf(extras)
  const all: (Format | Extra)[] = [...FORMATS, ...more]
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
  const documents: (DocumentFormat | Extra)[] = [...namesOf(DOCUMENTS), ...more]
  const isFor = (name: DocumentFormat | Extra, file: string) =>
    extname(file).toLowerCase() === endingOf(name, extras)
  const files = output.map((file) => {
    const named = documents.find((name) => name === asked)
    const known =
      output.length === 1 && named !== undefined
        ? named
        : documents.find((name) => isFor(name, file))
    if (known !== undefined) return { file, format: known }
    throw new CommandError(
      output.length === 1
        ? printable`--format says what ${file} is to hold: ${documents.join(', ')}.`
        : printable`The ending of ${file} does not say what it is to hold. Give it one of ${documents.map((name) => endingOf(name, extras)).join(', ')}.`,
    )
  })
  const isDocument = documents.some((name) => name === asked)
  return { terminal: files.length > 0 && isDocument ? 'text' : (asked ?? 'text'), files }
}

function endingOf<Extra extends string>(
  name: DocumentFormat | Extra,
  extras: ExtraFormats<Extra> | undefined,
): string | undefined {
  const own = Object.entries<{ ending: string }>(DOCUMENTS).find(([key]) => key === name)
  return own?.[1].ending ?? Object.entries<string>(extras ?? {}).find(([key]) => key === name)?.[1]
}
