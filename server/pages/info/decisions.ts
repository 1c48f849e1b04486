import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A decision where the specification is silent, from its mark in the source. */
export interface Decision {
  /** From the root of the project. */
  file: string
  /** Backticks mark code. */
  text: string
}

/** Who reads decisions, in the order of the page. */
export const READERS = {
  merchant: 'For merchants',
  developer: 'For developers',
  operator: 'For operators',
}

/** Decisions about one thing. */
export interface DecisionSubject {
  id: string
  title: string
  reader: keyof typeof READERS
  decisions: Decision[]
}

/** The subject of a decision, by the beginning of its file's path; the longest that fits. */
const SUBJECTS: readonly (readonly [
  title: string,
  reader: DecisionSubject['reader'],
  beginnings: readonly string[],
])[] = [
  [
    'Audit',
    'merchant',
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
    'merchant',
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
    'merchant',
    [
      'shared/watch',
      'server/watch',
      'server/commands/watches',
      'server/db/watch',
      'server/pages/account/watch',
      'server/pages/status',
    ],
  ],
  ['Manifest', 'developer', ['shared/manifest', 'server/routes/manifest']],
  [
    'Attribution and report',
    'merchant',
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
  [
    'Tag, aisle-node and plugins',
    'developer',
    ['snippet', 'aisle-node', 'server/routes/snippet', 'server/connectors'],
  ],
  ['Browser extension', 'merchant', ['extension']],
  [
    'Commands and tools for assistants',
    'developer',
    ['server/commands', 'server/mcp', 'server/routes/mcp'],
  ],
  ['The reference store: checkout', 'developer', ['server/store/checkout', 'shared/protocols']],
  [
    'The reference store: orders and webhooks',
    'developer',
    ['server/store/orders', 'server/store/outbox'],
  ],
  ['The reference store: payments', 'developer', ['server/store/psp']],
  ['The reference store: dialects and storefront', 'developer', ['server/store']],
  ['Pages', 'merchant', ['server/pages']],
  [
    'Keys, limits and running it',
    'operator',
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
  SUBJECTS.flatMap(([title, , beginnings]) =>
    beginnings.filter((each) => file.startsWith(each)).map((each) => ({ title, each })),
  ).toSorted((a, b) => b.each.length - a.each.length)[0]?.title

/** The decisions by subject, in the order of the subjects. */
export const bySubject = (decisions: readonly Decision[]): DecisionSubject[] =>
  SUBJECTS.map(([title, reader]) => ({
    id: title.toLowerCase().replace(/[^a-z]+/g, '-'),
    title,
    reader,
    decisions: decisions.filter(({ file }) => subjectOf(file) === title),
  })).filter((subject) => subject.decisions.length > 0)

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
