import { readFile } from 'node:fs/promises'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { printable } from '../../../shared/web/text/printable.ts'
import {
  DOCUMENTS,
  type DocumentFormat,
  type FormatFlags,
  formatsInWords,
  formatsOf,
  readDestinations,
} from './formats.ts'
import { githubReport, outputLines } from './github.ts'
import type { CommandReport, ReportedFinding, Subject } from './report.ts'
import { faultsOfJunit, faultsOfSarif } from './testing/schemas.ts'

/** Hostile text of a store: it ends XML, JSON, Markdown, values, lines and commands. */
const EVIL =
  '\u001b[2J\u202e\r\n::error::evil\n##[error]evil\n]]><evil a="\'&\uffff\ud800 `</td> {0} [x](http://evil.test) @evil %0A,:'

const finding = (change: Partial<ReportedFinding>): ReportedFinding => ({
  id: 'catalog_empty',
  which: null,
  title: 'The catalog has products',
  problem: 'The catalog is empty',
  detail: EVIL,
  fix: 'Connect the catalog.',
  severity: 'critical',
  level: 'error',
  state: 'open',
  why: null,
  isNew: null,
  docs: 'https://aisle.example/gaps/catalog_empty',
  ...change,
})

const subject = (change: Partial<Subject> = {}): Subject => ({
  name: 'shop.example',
  url: 'https://shop.example/',
  source: { file: 'aisle.json', line: 2 },
  headline: '50 of 100, grade C',
  score: 50,
  grade: 'C',
  at: '2026-11-23T10:00:00.000Z',
  findings: [
    finding({}),
    finding({
      id: 'feed_missing',
      state: 'known',
      why: 'The baseline has it as well.',
      isNew: false,
    }),
    finding({
      id: 'ucp_names_unknown',
      state: 'ignored',
      why: `Ignored until 2027-01-01: ${EVIL}`,
    }),
    finding({ id: 'catalog_search', state: 'warned', level: 'warning', why: EVIL }),
    finding({ id: 'invalid', which: EVIL, severity: null, docs: null, fix: null }),
  ],
  passed: [{ id: 'https_missing', title: 'The store answers over HTTPS' }],
  unseen: [{ id: 'checkout_slow', title: 'Carts are answered', reason: EVIL }],
  since: { at: '2026-11-01T10:00:00.000Z', fixed: [EVIL], open: 1 },
  failures: [EVIL],
  remarks: [EVIL],
  markdown: null,
  ...change,
})

const report = (change: Partial<CommandReport> = {}): CommandReport => ({
  command: 'audit',
  subjects: [subject(), subject({ name: 'b.example', source: null })],
  errors: [{ name: 'c.example', error: { code: 'domain_unreachable', message: EVIL } }],
  json: { results: [EVIL] },
  text: printable`${EVIL}`,
  ...change,
})

const REFUSED = report({
  subjects: [],
  errors: [
    {
      name: null,
      error: {
        code: 'invalid_config',
        message: EVIL,
        details: [
          { field: EVIL, code: 'x', message: EVIL, file: 'aisle.json', line: 3, column: 4 },
        ],
      },
    },
  ],
})

const written = async (format: DocumentFormat, what: CommandReport): Promise<string> =>
  (await DOCUMENTS[format].load())(what)

/** All elements of a document, with their content. Throws if it is not well-formed. */
function elementsOf(xml: string) {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = []
  const open: typeof found = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return found
}

describe.each([
  ['of stores', report()],
  ['of a walk', report({ command: 'walk', subjects: [subject({ markdown: '# A walk\n' })] })],
  ['of nothing wrong', report({ subjects: [subject({ findings: [], failures: [] })], errors: [] })],
  ['of a command that could not run', REFUSED],
])('a report %s', (_, what) => {
  test('is SARIF as its schema has it', async () => {
    expect(faultsOfSarif(await written('sarif', what))).toEqual([])
  })

  test("is JUnit as Jenkins' schema has it, and reads back", async () => {
    const xml = await written('junit', what)
    expect(await faultsOfJunit(xml)).toEqual([])
    const elements = elementsOf(xml)
    const [root] = elements
    const count = (name: string) => elements.filter((each) => each.name === name).length
    expect(root?.attributes).toMatchObject({
      tests: String(count('testcase')),
      failures: String(count('failure')),
      errors: String(count('error')),
    })
  })

  test.each(['text', 'json', 'markdown', 'junit', 'sarif'] as const)(
    'as %s holds nothing that steers, and is the same each time',
    async (format) => {
      const text = await written(format, what)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(await written(format, structuredCloneOf(what))).toBe(text)
    },
  )
})

const structuredCloneOf = (what: CommandReport): CommandReport => ({
  ...structuredClone({ ...what, text: null }),
  text: what.text,
})

test('JUnit says what became of each rule, by one name', async () => {
  const elements = elementsOf(await written('junit', report({ errors: [], subjects: [subject()] })))
  expect(elements.find(({ name }) => name === 'testsuite')?.attributes).toMatchObject({
    name: 'shop.example',
    tests: '8',
    failures: '3',
    skipped: '3',
  })
  const shown = elements.find(({ name }) => name === 'skipped')
  expect(shown?.attributes.message).toBe('The baseline has it as well.')
  expect(elements.find(({ name }) => name === 'failure' && name)?.text).toContain('evil')
})

test('SARIF: the line of aisle.json or a path, what is new, what is set aside, a stable name', async () => {
  const { results, invocations, tool } = JSON.parse(await written('sarif', report())).runs[0]
  expect(invocations[0]).toMatchObject({ executionSuccessful: false })
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toContain('catalog_empty')
  expect(results[0]).toMatchObject({
    ruleId: 'catalog_empty',
    ruleIndex: 0,
    level: 'error',
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'aisle.json' }, region: { startLine: 2 } },
        logicalLocations: [{ fullyQualifiedName: 'https://shop.example/' }],
      },
    ],
  })
  expect(results[5].locations[0].physicalLocation.artifactLocation.uri).toBe('b.example')
  expect(results[1].baselineState).toBe('unchanged')
  expect(results[2].suppressions).toHaveLength(1)
  const names = results.map(
    (each: { partialFingerprints: Record<string, string> }) =>
      each.partialFingerprints.primaryLocationLineHash,
  )
  expect(new Set(names).size).toBe(names.length)
  // A store's text becomes neither a link nor a placeholder.
  expect(results[0].message.text).toContain('\\[x\\](http://evil.test)')
  expect(results[0].message.text).toContain('{{0}}')
})

/** What the runner does with each line: commands that it obeys, including those of the old form. */
function obeyed(log: string): string[] {
  const commands: string[] = []
  let resume: string | null = null
  for (const line of log.split(/\r\n|\r|\n/)) {
    const [, name, data = ''] = /^\s*::([\w-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
    if (resume !== null) {
      if (line.trim() === `::${resume}::`) resume = null
    } else if (name === 'stop-commands') resume = data
    else if (name !== undefined) commands.push(line)
    else if (line.includes('##[')) commands.push(line)
  }
  expect(resume).toBe(null)
  return commands
}

test('the runner obeys our commands alone, whatever a store wrote', () => {
  // Lines may begin with a store's text, like wrapped lines.
  const hostile = { toString: () => 'Found:\n::error::evil\n  ::add-mask::a\n##[group]evil' }
  const { log } = githubReport(report({ text: hostile as never }), { token: 'abc' })
  const commands = obeyed(log)
  expect(commands.every((line) => /^::(error|warning|notice) (file|title)=/.test(line))).toBe(true)
  expect(commands.find((line) => line.includes('catalog is empty'))).toContain(
    '::error file=aisle.json,line=2,title=shop.example%3A The catalog is empty (critical)::',
  )
  // Known and ignored ones are in the summary.
  expect(log).not.toContain('Ignored until')
  expect(githubReport(REFUSED, { token: 'abc' }).log).toMatch(
    /::error file=aisle\.json,line=3,col=4,title=Aisle::/,
  )
})

test('titles cannot add a property, and messages cannot add a line', () => {
  const evil = subject({ name: 'a,file=/etc/passwd::x%', findings: [finding({})], remarks: [] })
  const { log } = githubReport(report({ subjects: [evil], errors: [] }), { token: 'abc' })
  const command = obeyed(log).at(-1)
  expect(command).toContain('title=a%2Cfile=/etc/passwd%3A%3Ax%25%3A The catalog')
  expect(command?.split('::')).toHaveLength(5)
  expect(command).toContain('%0ATo do: Connect the catalog.%0Ahttps://aisle.example/')
})

test('outputs end where we say, and a store cannot write another', () => {
  const { outputs } = githubReport(report(), { token: 'abc', files: ['a.sarif', 'b.json'] })
  expect(outputs).toMatchObject({
    score: '50',
    grade: 'C',
    failed: 'true',
    'result-file': 'b.json',
  })
  const lines = outputLines({ ...outputs, comment: `x\nabc\nscore<<y\n100\ny` }, 'aisle_1')
  expect(readOutputs(lines)).toEqual({ ...outputs, comment: 'x\nabc\nscore<<y\n100\ny' })
  expect(() => outputLines({ comment: 'a\naisle_1\nscore=100' }, 'aisle_1')).toThrow('delimiter')
})

/** As the runner reads GITHUB_OUTPUT (FileCommandManager in actions/runner). */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  while (lines.length > 0) {
    const [name = '', delimiter] = (lines.shift() ?? '').split('<<')
    if (delimiter === undefined) continue
    const end = lines.indexOf(delimiter)
    outputs[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join('\n')
  }
  return outputs
}

test('a comment is short enough for GitHub', () => {
  const many = Array.from({ length: 400 }, () => finding({ detail: 'x'.repeat(4_000) }))
  const { outputs } = githubReport(report({ subjects: [subject({ findings: many })] }), {
    token: 'a',
  })
  expect(outputs.comment?.length).toBeLessThan(65_536)
  expect(outputs.comment).toContain('The rest is left out here')
})

test.each<[FormatFlags, unknown]>([
  [{}, { terminal: 'text', files: [] }],
  [{ json: true }, { terminal: 'json', files: [] }],
  [{ format: 'sarif' }, { terminal: 'sarif', files: [] }],
  [
    { format: 'sarif', output: ['a.txt'] },
    { terminal: 'text', files: [{ file: 'a.txt', format: 'sarif' }] },
  ],
  [{ output: ['a.XML'] }, { terminal: 'text', files: [{ file: 'a.XML', format: 'junit' }] }],
  [
    { format: 'github', output: ['a.json', 'b.md'] },
    {
      terminal: 'github',
      files: [
        { file: 'a.json', format: 'json' },
        { file: 'b.md', format: 'markdown' },
      ],
    },
  ],
])('%j goes to %j', (flags, expected) => {
  expect(readDestinations(flags, 'audit')).toEqual(expected)
})

test.each<[FormatFlags, string]>([
  [
    { format: 'xml' },
    '--format does not know "xml". It takes text, json, markdown, junit, sarif, github.',
  ],
  [{ json: true, format: 'sarif' }, 'Give --json or --format sarif, not both.'],
  [{ output: ['a.doc'] }, '--format says what a.doc is to hold'],
  [{ output: ['a.json', 'b.doc'] }, 'The ending of b.doc does not say what it is to hold.'],
])('%j is refused', (flags, sentence) => {
  expect(() => readDestinations(flags, 'audit')).toThrow(sentence)
})

test('the help names all formats, and those of one command', () => {
  const named = formatsOf('audit').join(', ')
  expect(formatsInWords('walk')).toBe(`${named}, har or curl`)
})

test('the page about pipelines names all formats', async () => {
  const page = new URL('../../../docs/integrator/pipeline.md', import.meta.url)
  const text = await readFile(page, 'utf8')
  const [, list = ''] = text.match(/`validate` and `walk` write ([^.]*)\./) ?? []
  expect(formatsOf('audit').filter((name) => !list.includes(`\`${name}\``))).toEqual([])
})
