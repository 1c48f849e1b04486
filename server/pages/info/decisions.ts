import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What was decided where the specification is silent, as its mark in the source says. */
export interface Decision {
  /** From the root of the project. */
  file: string
  /** Backticks are around what is code. */
  text: string
}

/** What a decision is about, by the beginning of its file; the first that fits. */
const SUBJECTS: readonly [title: string, beginnings: readonly string[]][] = [
  ['Audit', ['shared/audit', 'server/audit', 'server/routes/audit', 'shared/web']],
  ['Manifest', ['shared/manifest', 'server/routes/manifest']],
  [
    'Attribution and report',
    [
      'shared/attribution',
      'server/attribution',
      'server/routes/report',
      'server/routes/sessions',
      'server/db',
      'shared/view/report',
    ],
  ],
  ['Snippet and aisle-node', ['snippet', 'aisle-node', 'server/routes/snippet']],
  ['Browser extension', ['extension']],
  ['The reference store: checkout', ['server/store/checkout', 'shared/protocols']],
  ['The reference store: orders and webhooks', ['server/store/orders', 'server/store/outbox']],
  ['The reference store: payments', ['server/store/psp']],
  ['The reference store: dialects and shop', ['server/store']],
  ['Keys, limits and errors', ['server']],
  ['Pages', ['shared']],
]

/** The decisions by subject, in the order of the subjects. */
export const bySubject = (decisions: readonly Decision[]): [title: string, Decision[]][] => {
  const titleOf = ({ file }: Decision) =>
    SUBJECTS.find(([, beginnings]) => beginnings.some((each) => file.startsWith(each)))?.[0]
  return SUBJECTS.map(([title]): [string, Decision[]] => [
    title,
    decisions.filter((decision) => titleOf(decision) === title),
  ]).filter(([, of]) => of.length > 0)
}

const BESIDE = new URL('./decisions.json', import.meta.url)

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadDecisions(file: URL = BESIDE): Promise<Decision[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `${fileURLToPath(file)} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
      { cause },
    )
  })
  return JSON.parse(text)
}
