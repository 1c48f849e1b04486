import { linksTo } from '../../../shared/audit/gap-links.ts'
import { NO_LINKS } from '../../../shared/audit/result.ts'
import { auditPage } from './audit-page.ts'
import type { PageToJudge } from './judge-apart.ts'

// A page may be made so that reading it takes long: the panel answers meanwhile, as this runs
// apart.
self.addEventListener('message', ({ data }: MessageEvent<PageToJudge>) => {
  const links = data.serverUrl === null ? NO_LINKS : linksTo(data.serverUrl)
  self.postMessage(auditPage(data.collected, () => new Date(), links))
})
