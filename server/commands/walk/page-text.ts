import { isObstacle, PAGE_FINDINGS } from '../../../shared/walk/pages/findings.ts'
import type { PagesKeptStep } from '../../../shared/walk/pages/pages-kept.ts'
import { type Printable, printable, printableLines } from '../../../shared/web/text/printable.ts'

/** The terminal's text for a page of a walk through pages. */
export const pageStepText = (
  {
    stage,
    url,
    does,
    findings,
  }: Pick<PagesKeptStep, 'stage' | 'url' | 'does'> & {
    findings: readonly Pick<PagesKeptStep['findings'][number], 'id' | 'detail' | 'element'>[]
  },
  n: number,
): Printable =>
  printableLines([
    printable`${n}. ${stage}: ${does ?? 'the walk ends'}  (${url})`,
    ...findings.map(
      ({ id, detail, element }) =>
        printable`   ${isObstacle({ id }) ? 'obstacle' : 'friction'}  ${PAGE_FINDINGS[id][1]}: ${detail}${element.selector === '' ? '' : ` [${element.selector}]`}`,
    ),
  ])
