import { linksTo } from '../../../shared/audit/gap-links.ts'
import { type GapLinks, NO_LINKS } from '../../../shared/audit/result.ts'

/** The pages of a server about a gap; none without a server. `url` has no slash at its end. */
export const linksOf = (server: { url: string } | null): GapLinks =>
  server === null ? NO_LINKS : linksTo(server.url)
