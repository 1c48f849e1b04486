import { escapeJson } from '../../../shared/web/printable.ts'
import type { CommandReport } from './report.ts'

/** What the command found, as it is. */
export const jsonReport = ({ json }: CommandReport): string =>
  `${escapeJson(JSON.stringify(json, null, 2))}\n`
