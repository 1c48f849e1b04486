import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A decision where the specification is silent, from its mark in the source. */
export interface Decision {
  /** From the root of the project. */
  file: string
  /** Backticks mark code. */
  text: string
}

/** The subject of a decision, by the beginning of its file's path; the longest that fits. */
const SUBJECTS: readonly [title: string, beginnings: readonly string[]][] = [
  [
    'Audit',
    [
      'shared/audit',
      'server/audit',
      'server/routes/audit',
      'server/routes/proposals',
      'server/db/audit',
      'shared/web',
      'shared/markup',
      'shared/commerce',
    ],
  ],
  [
    'Walks',
    [
      'shared/walk',
      'shared/view/walk',
      'server/audit/walk',
      'server/routes/walk',
      'server/commands/walk',
      'server/db/audit/walk',
      'server/pages/browser/follow-walk',
    ],
  ],
  [
    'Watches',
    [
      'shared/watch',
      'server/watch',
      'server/commands/watches',
      'server/db/watch',
      'server/pages/account/watch',
      'server/pages/status',
    ],
  ],
  ['Manifest', ['shared/manifest', 'server/routes/manifest']],
  [
    'Attribution and report',
    [
      'shared/attribution',
      'server/attribution',
      'server/routes/report',
      'server/routes/sessions',
      'server/routes/properties',
      'server/db/events',
      'server/db/batching',
      'server/db/attribution',
      'server/db/retention',
      'shared/view/report',
    ],
  ],
  ['Tag and aisle-node', ['snippet', 'aisle-node', 'server/routes/snippet']],
  ['Browser extension', ['extension']],
  ['Commands and tools for assistants', ['server/commands', 'server/mcp', 'server/routes/mcp']],
  ['The reference store: checkout', ['server/store/checkout', 'shared/protocols']],
  ['The reference store: orders and webhooks', ['server/store/orders', 'server/store/outbox']],
  ['The reference store: payments', ['server/store/psp']],
  ['The reference store: dialects and storefront', ['server/store']],
  ['Pages', ['server/pages']],
  [
    'Keys, limits and running it',
    [
      'server/access',
      'server/signatures',
      'server/http',
      'server/db',
      'server/routes',
      'server/build',
      'server/metrics',
      'server/jobs',
      'server/config',
      'server/start',
      'server/process',
      'server/jobs',
    ],
  ],
]

const subjectOf = (file: string): string | undefined =>
  SUBJECTS.flatMap(([title, beginnings]) =>
    beginnings.filter((each) => file.startsWith(each)).map((each) => ({ title, each })),
  ).toSorted((a, b) => b.each.length - a.each.length)[0]?.title

/** The decisions by subject, in the order of the subjects. */
export const bySubject = (decisions: readonly Decision[]): [title: string, Decision[]][] =>
  SUBJECTS.map(([title]): [string, Decision[]] => [
    title,
    decisions.filter(({ file }) => subjectOf(file) === title),
  ]).filter(([, of]) => of.length > 0)

const BESIDE = new URL('./decisions.json', import.meta.url)

/** Reads what the bundle put next to this file. The error says what to do if it is missing. */
export async function loadDecisions(): Promise<Decision[]> {
  const text = await readFile(BESIDE, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      `${fileURLToPath(BESIDE)} cannot be read (${cause.code}). Run "npm run bundle" to build it.`,
      { cause },
    )
  })
  return JSON.parse(text)
}
