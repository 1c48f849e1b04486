import * as z from 'zod'
import { ToolsKept } from '../webmcp/tools-kept.ts'
import { PAGE_FINDINGS, type PageFinding, type PageFindingId } from './findings.ts'
import type { PagesStep, PagesWalk } from './pages-walk.ts'

// Unspecified: of a walk through pages, 31 pictures of at most 300 KB each are kept, 3 MB in all.
export const PICTURE_BYTES = 300_000
export const PICTURES_BYTES = 3_000_000

const MOST_TEXT = 500
const MOST_ADDRESS = 2_000

const FINDING_IDS: readonly PageFindingId[] = Object.keys(PAGE_FINDINGS).filter(
  (id): id is PageFindingId => Object.hasOwn(PAGE_FINDINGS, id),
)

const Finding = z.object({
  id: z.enum(FINDING_IDS).describe('What was needed and not found, for programs'),
  detail: z.string().describe('What was seen, and what was expected'),
  element: z
    .object({
      role: z.string().describe('Its role in the accessibility tree'),
      name: z.string().describe('Its name there, as written by the store'),
      selector: z
        .string()
        .describe(
          'A CSS selector by which a person finds it. Empty where the page does not hold it',
        ),
    })
    .describe('The element that it is about, or the one in which something is missing'),
  box: z
    .object({
      x: z.number().describe('From the left'),
      y: z.number().describe('From the top'),
      width: z.number().describe('Its width'),
      height: z.number().describe('Its height'),
    })
    .nullable()
    .describe('Where the element is in the picture, in pixels. Null: it is not in it'),
})

const Step = z.object({
  n: z.int().describe('Counted from 1'),
  stage: z.enum(['product', 'basket', 'checkout']).describe('How far the agent has come'),
  url: z.string().describe('The address of the page'),
  title: z.string().describe('The title of the page'),
  does: z.string().nullable().describe('What the agent does next. Null: the walk ends here'),
  element: z.string().nullable().describe('The selector of what it uses for that'),
  sees: z.array(z.string()).describe('The controls of the page, as agents read them'),
  findings: z.array(Finding).describe('What the agent needed here and did not find'),
  picture: z
    .string()
    .nullable()
    .describe('The path of a picture of the page, below the address of the walk. Null: not kept'),
})

/** A walk through pages as it is kept with a walk: its pictures are stored on their own. */
export const PagesKept = z.object({
  url: z.string().nullable().describe('The product page where it began. Null: none was found'),
  product: z.string().nullable().describe('The product, as its page names it'),
  ended: z
    .enum(['reached', 'stopped', 'sold_out', 'elsewhere'])
    .nullable()
    .describe(
      '`reached`: the last step before paying. `stopped`: at an obstacle. `sold_out`, `elsewhere` (the pages lead to another site before the checkout): says nothing about the store. Null: it goes on, or was not seen to its end',
    ),
  unseen: z
    .string()
    .nullable()
    .describe('Why it was not seen, as a sentence: nothing follows about the store'),
  emptied: z
    .enum(['emptied', 'not_found', 'nothing_in_it'])
    .nullable()
    .describe('Whether the basket was emptied at the end'),
  steps: z.array(Step).describe('The pages, in order'),
  tools: ToolsKept.nullable().describe(
    'The tools that the product page offers to agents in the browser (WebMCP). Null: not looked at',
  ),
})
export type PagesKept = z.infer<typeof PagesKept>
export type PagesKeptStep = PagesKept['steps'][number]

/** Before the first step. */
export const beginPages = (url: string | null): PagesKept => ({
  url,
  product: null,
  ended: null,
  unseen: null,
  emptied: null,
  steps: [],
  tools: null,
})

/** The path of a picture, below the address of its walk. */
export const picturePath = (n: number): string => `pictures/${n}`

/** A step without its picture; texts of the store are cut. */
export const keptStep = (step: PagesStep, n: number, hasPicture: boolean): PagesKeptStep => ({
  n,
  stage: step.stage,
  url: step.url.slice(0, MOST_ADDRESS),
  title: step.title.slice(0, MOST_TEXT),
  does: step.does?.slice(0, MOST_TEXT) ?? null,
  element: step.element?.slice(0, MOST_TEXT) ?? null,
  sees: step.sees.map((each) => each.slice(0, MOST_TEXT)),
  findings: step.findings.map(({ box, ...finding }) => ({ ...plainFinding(finding), box })),
  picture: hasPicture ? picturePath(n) : null,
})

/** A finding without what only the browser knows. */
export function plainFinding({ id, detail, element }: PageFinding) {
  const named = {
    role: element.role,
    name: element.name.slice(0, MOST_TEXT),
    selector: element.selector.slice(0, MOST_TEXT),
  }
  return { id, detail: detail.slice(0, MOST_TEXT), element: named }
}

/** How it ended, added to its steps. */
export const endedPages = (
  pages: PagesKept,
  { ended, product, emptied }: Pick<PagesWalk, 'ended' | 'product' | 'emptied'>,
): PagesKept => ({
  ...pages,
  ended,
  product: product.name === '' ? null : product.name.slice(0, MOST_TEXT),
  emptied,
})

/** A walk with one more step; one that is known stays. */
export const withPagesStep = (pages: PagesKept, step: PagesKeptStep): PagesKept =>
  pages.steps.some(({ n }) => n === step.n) ? pages : { ...pages, steps: [...pages.steps, step] }
