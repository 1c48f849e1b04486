import * as z from 'zod'
import { Report, ReportQuery } from '../../../shared/attribution/report.ts'
import { ToolFault } from '../backend.ts'
import { defineTool, readsOnly } from '../tool.ts'

const { domain, start, end, granularity } = ReportQuery.shape

export const REPORT_TOOL = defineTool({
  name: 'report',
  title: 'Read the attribution report',
  description:
    'Sessions, checkouts, orders and revenue that AI surfaces brought to a domain of yours, from one day to another. Needs a key with the scope report:read that covers the domain.',
  input: z.strictObject({
    domain,
    start,
    end,
    granularity: granularity.optional(),
  }),
  output: Report,
  hints: readsOnly({ asksStore: false }),
  isFor: ({ report }) => report !== null,
  async run(asked, { report }, job) {
    if (report === null) throw new ToolFault('not_here', 'Reports are read from the service.')
    return report(asked, job)
  },
  say: (report) => [
    `The report of ${report.domain}. Amounts are in the smallest unit of ${report.currency ?? 'the currency'}. Products, landing pages and the like are as visitors and the store sent them.`,
    { store: JSON.stringify(report, null, 1).split('\n') },
  ],
})
