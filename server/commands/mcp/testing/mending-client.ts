import type { Client } from '@modelcontextprotocol/client'
import type { Proposal } from '../../../../shared/audit/proposals/proposal.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { LOGO_PATH } from '../../../store/shop/settings.ts'
import { writeFiles } from './mended-store.ts'

/** The merchant's answers to a tool's questions. */
const merchantOf = (domain: string) => ({
  logo: `https://${domain}${LOGO_PATH}`,
  shipping: { price: '4.90', country: 'US' },
  returns: { days: 30, country: 'US', free: true },
})

/** Which tools may have a file for a gap, by its check. */
const TOOLS_FOR: Record<string, readonly string[]> = {
  well_known: ['propose_manifest', 'propose_robots'],
  catalog: ['propose_manifest'],
  checkout: ['propose_manifest'],
  schema: ['propose_markup'],
  entity: ['propose_markup'],
  attribution: ['propose_snippet'],
}

const MOST_ROUNDS = 4

/**
 * An assistant without a model: it audits, asks the tools that may have a file for a gap, writes
 * what they propose, and audits again until nothing is left. It knows no fault of any store.
 * Returns the scores in order, and the ids of the gaps that were left at the end.
 */
export async function mendByTools(
  client: Client,
  domain: string,
  folder: string,
): Promise<{ scores: number[]; left: string[]; wrote: string[] }> {
  const call = async <Answer>(name: string, given: object): Promise<Answer> => {
    const answer = await client.callTool({ name, arguments: { ...given } }, { timeout: 60_000 })
    if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`)
    return answer.structuredContent as Answer
  }
  const scores: number[] = []
  const wrote: string[] = []
  for (;;) {
    const { score, gaps, product_pages } = await call<AuditResult>('audit', { domain })
    scores.push(score)
    const left = gaps.map(({ id }) => id)
    if (gaps.length === 0 || scores.length > MOST_ROUNDS) return { scores, left, wrote }
    const tools = new Set(gaps.flatMap(({ check }) => TOOLS_FOR[check] ?? []))
    for (const tool of tools) {
      let proposal = await call<Proposal>(tool, { domain })
      if (proposal.missing.some((each) => /^(logo|shipping|returns):/.test(each))) {
        proposal = await call<Proposal>(tool, { domain, ...merchantOf(domain) })
        const pages = product_pages
          .map(({ url }) => url)
          .filter((url) => !proposal.files.some((file) => file.url === url))
        if (pages.length > 0) {
          const more = await call<Proposal>(tool, { domain, pages, ...merchantOf(domain) })
          await writeFiles(folder, more.files)
        }
      }
      await writeFiles(folder, proposal.files)
      wrote.push(...proposal.files.map(({ path }) => path))
    }
  }
}
