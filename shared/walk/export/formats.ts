/** The forms in which a transcript is taken along. */
export const EXPORT_FORMATS = ['json', 'markdown', 'har', 'curl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
