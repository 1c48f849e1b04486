import { linksTo } from '../../../shared/audit/gap/links.ts'
import { NO_LINKS } from '../../../shared/audit/result/result.ts'
import { auditPage } from './audit-page.ts'
import type { PageToJudge } from './judge-apart.ts'

// A hostile page may take long to read: here it does not block the panel.
self.addEventListener('message', ({ data }: MessageEvent<PageToJudge>) => {
  const links = data.serverUrl === null ? NO_LINKS : linksTo(data.serverUrl)
  self.postMessage(auditPage(data.collected, () => new Date(), links))
})
