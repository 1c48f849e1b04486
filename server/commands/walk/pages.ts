import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleAddress } from '../../../shared/walk/addresses.ts'
import { BUYER } from '../../../shared/walk/pages/fields.ts'
import { plainFinding } from '../../../shared/walk/pages/pages-kept.ts'
import type { PagesStep, PagesWalk } from '../../../shared/walk/pages/pages-walk.ts'
import { shopOfAddress } from '../../../shared/web/address/local-shop.ts'
import { counted } from '../../../shared/web/text/english-count.ts'
import { printable, printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import type { Browsers } from '../../audit/browser/browser.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { pageStepText } from './page-text.ts'

interface PagesFlags {
  json?: boolean
  pictures?: string
  yesOpenSessions?: boolean
}

interface PagesDeps {
  browsers: Browsers
  signal: AbortSignal
}

/**
 * Walks through the pages of a store with a browser, from a product's page to the last step before
 * paying. Returns the exit code: 0 if the last step was reached without a finding, 1 with findings,
 * 2 if it could not be walked.
 */
export async function pagesCommand(
  input: string | undefined,
  { json = false, pictures, yesOpenSessions = false }: PagesFlags,
  { browsers, signal }: PagesDeps,
  terminal: Terminal,
): Promise<number> {
  const url = readProductUrl(input, '--pages')
  if (!yesOpenSessions) {
    throw new CommandError(
      printable`Nothing has been asked of ${url.host} yet. A walk through its pages puts one product into a basket, fills in a checkout as a guest, stops before paying, and takes the product out again. If this is your store, add --yes-open-sessions.`,
    )
  }
  const folder = pictures
  if (folder !== undefined) await mkdir(folder, { recursive: true })
  const saved: Promise<void>[] = []
  let steps = 0
  const onStep = (step: PagesStep) => {
    steps += 1
    if (folder !== undefined) {
      saved.push(writeFile(join(folder, `${String(steps).padStart(2, '0')}.jpg`), step.picture))
    }
    if (!json) terminal.print(pageStepText(step, steps))
  }
  const address = sampleAddress(url.hostname, undefined)
  const seen = await browsers.run(
    'pages',
    { url: url.href, contact: { ...BUYER, address }, own: [url.hostname] },
    { signal, onStep },
  )
  await Promise.all(saved)
  if ('unseen' in seen) throw new CommandError(printable`${seen.why}`, { code: seen.unseen })
  const { done } = seen
  terminal.print(json ? printableJson(plainOf(done)) : endText(done))
  if (done.ended === 'sold_out' || done.ended === 'elsewhere') return 2
  return done.ended === 'reached' && done.findings.length === 0 ? 0 : 1
}

/** The address of a product's page, for a flag that opens one. */
export function readProductUrl(input: string | undefined, flag: string): URL {
  if (input === undefined) {
    throw new CommandError(
      printable`Name a product’s page, such as https://shop.example/products/boot.`,
    )
  }
  const read = shopOfAddress(input)
  if ('problem' in read) throw new CommandError(printable`${read.problem}`)
  const url = URL.parse(/^\w+:\/\//.test(input) ? input : `https://${input}`)
  const page = url && URL.parse(url.pathname + url.search, `https://${read.domain}`)
  if (!page || page.pathname === '/') {
    throw new CommandError(
      printable`${flag} begins on a product’s page: give its whole address, such as https://${read.domain}/products/boot.`,
    )
  }
  return page
}

const ENDS = {
  reached: 'The last step before paying was reached.',
  stopped: 'The walk stopped before the last step.',
  sold_out: 'The product is sold out: walk from another one.',
  elsewhere: 'Its pages lead to another site before the checkout, where nothing was done.',
}
const EMPTIED = {
  emptied: 'The basket was emptied.',
  not_found: 'The basket could not be emptied: its visitor is gone in any case.',
  nothing_in_it: 'Nothing was put into a basket.',
}

const endText = ({ ended, findings, emptied }: PagesWalk) =>
  printableLines([
    '',
    printable`${ENDS[ended]} ${counted(findings.length, 'finding')}. ${EMPTIED[emptied]}`,
  ])

/** Without the pictures, and without what only the browser knows. */
const plainOf = ({ steps, findings, ...walk }: PagesWalk) => ({
  ...walk,
  findings: findings.map(plainFinding),
  steps: steps.map(({ picture: _, findings, ...step }) => ({
    ...step,
    findings: findings.map(plainFinding),
  })),
})
