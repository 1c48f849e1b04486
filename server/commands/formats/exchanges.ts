import { transcriptCurl } from '../../../shared/walk/export/curl.ts'
import { transcriptHar } from '../../../shared/walk/export/har.ts'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import type { CommandReport } from './report.ts'

/** The requests of a walk, for the tools of a browser. */
export const harReport = (report: CommandReport): string => transcriptHar(transcriptOf(report))

/** The same as a script that a terminal repeats. */
export const curlReport = (report: CommandReport): string => transcriptCurl(transcriptOf(report))

function transcriptOf({ command, transcript }: CommandReport): Transcript {
  if (transcript === undefined) throw new Error(`The report of ${command} has no transcript.`)
  return transcript
}
