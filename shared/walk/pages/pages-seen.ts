import type { ToolFinding } from '../webmcp/findings.ts'
import type { PageStage } from './deciding.ts'
import type { PageFindingId } from './findings.ts'
import type { PagesKept } from './pages-kept.ts'

/** What a walk through pages showed, as the evidence of an audit: plain data, small. */
export interface PagesSeen {
  /** Why nothing follows from it, as a sentence; null where it ended by itself. */
  unseen: string | null
  /** It came to the last step before paying. */
  reached: boolean
  /** The stages that it came to, the last one not to its end unless it was reached. */
  stages: PageStage[]
  findings: {
    id: PageFindingId
    detail: string
    /** The page on which it was seen. */
    url: string
    /** The element as a selector; empty where the page does not hold it. */
    element: string
  }[]
  /** Of the product page; null: they were not looked at. */
  tools: {
    /** Why nothing follows, as a sentence. */
    unseen: string | null
    offered: number
    called: number
    findings: ToolFinding[]
  } | null
}

const UNJUDGED: Partial<Record<NonNullable<PagesKept['ended']>, string>> = {
  sold_out: 'The product was sold out.',
  elsewhere: 'Its pages lead to another site, where nothing was done.',
}
const NO_END = 'The walk was not seen to its end.'

/** The results of a walk that has ended. */
export const pagesSeenOf = ({ ended, unseen, steps, tools }: PagesKept): PagesSeen => ({
  unseen: unseen ?? (ended === null ? NO_END : (UNJUDGED[ended] ?? null)),
  reached: ended === 'reached',
  stages: [...new Set(steps.map(({ stage }) => stage))],
  findings: steps.flatMap(({ url, findings }) =>
    findings.map(({ id, detail, element }) => ({
      id,
      detail,
      url,
      element: element.selector,
    })),
  ),
  tools: tools && {
    unseen: tools.unseen,
    offered: tools.tools.length,
    called: tools.calls.length,
    findings: tools.findings,
  },
})
