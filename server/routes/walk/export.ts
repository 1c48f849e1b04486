import type { Context } from 'hono'
import * as z from 'zod'
import { transcriptCurl } from '../../../shared/walk/export/curl.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/walk/export/formats.ts'
import { transcriptHar } from '../../../shared/walk/export/har.ts'
import { transcriptMarkdown } from '../../../shared/walk/export/markdown.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { TranscriptBody } from '../../../shared/walk/transcript-body.ts'
import { component, jsonContent } from '../openapi/component.ts'
import { TRANSCRIPT } from './examples.ts'

/** One form, as a file. */
interface ExportForm {
  type: string
  /** The ending of the file, without a dot. */
  extension: string
  write: (transcript: Transcript) => string
}

const EXPORT_FORMS = {
  json: {
    type: 'application/json',
    extension: 'json',
    write: (transcript) => JSON.stringify(transcript, null, 2),
  },
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md', write: transcriptMarkdown },
  har: { type: 'application/json', extension: 'har', write: transcriptHar },
  curl: { type: 'text/x-shellscript; charset=utf-8', extension: 'sh', write: transcriptCurl },
} as const satisfies Record<ExportFormat, ExportForm>

export const ExportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS)
    .default('json')
    .describe(
      'The form of the file: the transcript as JSON, a text to read, an HTTP archive, or a shell script',
    ),
})
export type ExportQuery = z.infer<typeof ExportQuery>

const Har = z.object({
  log: z.record(z.string(), z.unknown()).describe('The HTTP archive, as HAR 1.2 has it'),
})

/** The content types of all forms, for the API's documentation. */
export const exportContent: Record<string, { schema: z.ZodType; example?: unknown }> = {
  ...Object.fromEntries(
    Object.values(EXPORT_FORMS).map(({ type }) => [type, { schema: z.string() }]),
  ),
  ...jsonContent(z.union([component('Transcript', TranscriptBody), Har]), TRANSCRIPT),
}

/** Answers with the transcript as a file. */
export function answerExport(
  c: Context,
  transcript: Transcript,
  { format }: ExportQuery,
): Response {
  const { type, extension, write } = EXPORT_FORMS[format]
  const name = `walk-${transcript.domain}-${transcript.started_at.slice(0, 10)}.${extension}`
  return c.body(write(transcript), 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}
