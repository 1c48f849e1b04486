/** The formats in which a transcript can be exported. */
export const EXPORT_FORMATS = ['json', 'markdown', 'har', 'curl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
