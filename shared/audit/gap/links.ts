import type { GapLinks } from '../result/result.ts'

/** The pages of the service at `baseUrl`: the tool that fixes a gap, and what the gap means. */
export const linksTo = (baseUrl: string): GapLinks => ({
  fix: (tool, domain) => `${baseUrl}/tools/${tool}?domain=${encodeURIComponent(domain)}`,
  docs: (gap) => `${baseUrl}/gaps/${encodeURIComponent(gap)}`,
  cdn: baseUrl,
})
