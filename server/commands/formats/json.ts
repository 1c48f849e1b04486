import { escapeJson } from '../../../shared/web/text/printable.ts'
import type { CommandReport } from './report.ts'

/** The result, unchanged. */
export const jsonReport = ({ json }: CommandReport): string =>
  `${escapeJson(JSON.stringify(json, null, 2))}\n`
