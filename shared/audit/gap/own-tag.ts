import type { AuditResult } from '../result/result.ts'

/** A fix whose tag names where the snippet is served and the property, as far as they are known. */
export const withOwnTag = (fix: string, { cdn, id }: { cdn?: string; id: string | null }): string =>
  (cdn === undefined ? fix : fix.replaceAll('{cdn_url}', cdn)).replaceAll(
    '<property_id>',
    id ?? '<property_id>',
  )

/** The result with the id of the domain's own property in its fixes. */
export const withOwnTags = (result: AuditResult, id: string): AuditResult => ({
  ...result,
  gaps: result.gaps.map((gap) => ({ ...gap, fix: withOwnTag(gap.fix, { id }) })),
})
