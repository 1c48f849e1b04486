import type { CommandReport } from './report.ts'

/** As a terminal shows it. */
export const textReport = ({ text }: CommandReport): string => `${text}\n`
