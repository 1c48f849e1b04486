import * as z from 'zod'
import { nameOfIntent } from '../../../shared/walk/intents.ts'
import { isObstacle, PAGE_FINDINGS } from '../../../shared/walk/pages/findings.ts'
import { pagesText } from '../../../shared/walk/pages/pages-text.ts'
import { summaryOfWalk, WALK_STATES, WalkSummary } from '../../../shared/walk/stored-walk.ts'
import { missingText, verdictText } from '../../../shared/walk/verdict.ts'
import { WalkRequest } from '../../../shared/walk/walk-request.ts'
import { unmetStep } from '../../../shared/walk/walk-words.ts'
import { TOOL_FINDINGS } from '../../../shared/walk/webmcp/findings.ts'
import { ToolFindingKept } from '../../../shared/walk/webmcp/tools-kept.ts'
import { ToolFault, type Walked } from '../backend.ts'
import { defineTool } from '../tool.ts'

const { domain, intents, dialects, item, pages, product_url } = WalkRequest.shape
const { tool, detail } = ToolFindingKept.shape

const Failure = z.object({
  protocol: z.string().describe('What the store speaks there'),
  purchase: z.string().describe('What was bought, or tried'),
  step: z.string().describe('What the buyer did when it failed'),
  party: z.string().describe('Whose turn it is: store, agent, buyer or network'),
  expected: z.string().describe('What was expected'),
  found: z.string().describe('What was found'),
})

const PageFinding = z.object({
  page: z.string().describe('The address of the page'),
  finding: z.string().describe('What was needed and not found'),
  stops: z.boolean().describe('It ends the purchase; else an agent has to guess'),
  detail: z.string().describe('What was seen, and what was expected'),
  element: z.string().describe('The element as a selector; empty where the page does not hold it'),
})

export const WALK_TOOL = defineTool({
  name: 'walk',
  title: 'Walk through purchases',
  description:
    'Make purchases in your own store as AI agents do, up to the payment, and see where they stop. It opens real checkouts in the store and cancels each: call it for a store of your own only, after the person who owns it has agreed, with open_sessions true. It pays nothing. A walk takes minutes: if it is still under way, call again with its walk_id alone.',
  input: z
    .strictObject({
      domain: domain.optional().describe('Such as shop.example'),
      open_sessions: z
        .boolean()
        .optional()
        .describe('True: the owner agrees that checkouts are opened and cancelled in the store'),
      intents,
      dialects,
      item,
      pages,
      product_url,
      walk_id: z
        .string()
        .max(100)
        .optional()
        .describe('Instead of all others: a walk that was begun before'),
    })
    .refine((asked) => (asked.domain === undefined) !== (asked.walk_id === undefined), {
      path: ['domain'],
      message: 'Send the domain of your store, or the walk_id of a walk that was begun before.',
    }),
  output: z.object({
    domain: z.string().describe('The domain of the store'),
    walk_id: z.string().nullable().describe('To ask again with; null where it has ended here'),
    state: z.enum(WALK_STATES).describe('`ended` and `cancelled`: nothing more will come'),
    verdict: z
      .array(z.string())
      .describe('Whether agents can buy there, what they pay, and where they stop'),
    why: z.string().nullable().describe('Why nothing was walked, or why it ended early'),
    summary: WalkSummary,
    failures: z.array(Failure).describe('The step at which each purchase failed'),
    through_pages: z
      .array(z.string())
      .describe('How the walk through the pages ended, with pages true'),
    page_findings: z.array(PageFinding).describe('What was needed on the pages and not found'),
    tool_findings: z
      .array(z.object({ tool, finding: z.string().describe('What is wrong'), detail }))
      .describe('What is wrong with the tools that the product page offers to agents (WebMCP)'),
  }),
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  async run({ walk_id, domain: of, open_sessions, ...asked }, backend, job) {
    if (walk_id !== undefined) return shownWalk(await backend.walkAgain({ walk_id }, job))
    if (of === undefined) throw new ToolFault('invalid_arguments', 'Send the domain of your store.')
    if (open_sessions !== true) {
      throw new ToolFault(
        'not_agreed',
        'Nothing has been asked of the store. A walk opens real checkouts in it, pays nothing, and cancels them; until then the store may hold stock for them, and its statistics show them. If the owner of the store agrees, call again with open_sessions true.',
      )
    }
    return shownWalk(await backend.walk({ domain: of, ...asked }, job))
  },
  say: ({ domain: of, walk_id, state, verdict, why, summary, failures, ...pages }) => [
    state === 'ended' || state === 'cancelled'
      ? `The walk of ${of} has ${state === 'ended' ? 'ended' : 'been cancelled'}.`
      : `The walk of ${of} is under way. Call walk again with walk_id ${walk_id}.`,
    ...verdict,
    `${summary.passed} purchases passed, ${summary.failed} failed, ${summary.handed_over} were handed to the buyer, ${summary.not_walked} were not tried; ${summary.left_open} sessions could not be cancelled.`,
    ...(why === null ? [] : ['Why it ended so:', { store: [why] }]),
    ...(failures.length === 0
      ? []
      : [
          'Where purchases failed:',
          {
            store: failures.map(
              ({ protocol, purchase, step, party, expected, found }) =>
                `${protocol}, ${purchase}, ${step}. Turn: ${party}. Expected: ${expected} Found: ${found}`,
            ),
          },
        ]),
    ...pages.through_pages,
    ...(pages.page_findings.length === 0
      ? []
      : [
          'What was needed on the pages and not found:',
          {
            store: pages.page_findings.map(
              ({ page, finding, detail, element }) =>
                `${finding}. ${detail} ${page}${element === '' ? '' : `, ${element}`}`,
            ),
          },
        ]),
    ...(pages.tool_findings.length === 0
      ? []
      : [
          'What is wrong with the tools of the page:',
          {
            store: pages.tool_findings.map(
              ({ tool, finding, detail }) => `${tool}: ${finding}. ${detail}`,
            ),
          },
        ]),
  ],
})

function shownWalk({ walk_id, state, transcript }: Walked) {
  return {
    domain: transcript.domain,
    walk_id,
    state,
    verdict: verdictText(transcript),
    why:
      [
        transcript.nothing ?? transcript.stopped,
        ...missingText(transcript),
        ...transcript.elsewhere.map(({ label, why }) => `${label}: not walked. ${why}`),
      ]
        .filter((each) => each !== null)
        .join(' ') || null,
    summary: summaryOfWalk(transcript),
    through_pages: transcript.pages ? pagesText(transcript.pages) : [],
    page_findings: (transcript.pages?.steps ?? []).flatMap(({ url, findings }) =>
      findings.map(({ id, detail, element }) => ({
        page: url,
        finding: PAGE_FINDINGS[id][1],
        stops: isObstacle({ id }),
        detail,
        element: element.selector,
      })),
    ),
    tool_findings: (transcript.pages?.tools?.findings ?? []).map(({ id, tool, detail }) => ({
      tool,
      finding: TOOL_FINDINGS[id][0],
      detail,
    })),
    failures: transcript.routes.flatMap(({ label, purchases }) =>
      purchases.flatMap(({ intent, steps }) => {
        const step = unmetStep(steps)
        if (step === null) return []
        const { party, expected, found } = step.failed
        return [
          {
            protocol: label,
            purchase: nameOfIntent(intent),
            step: step.title,
            party,
            expected,
            found,
          },
        ]
      }),
    ),
  }
}
