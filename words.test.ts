import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

interface Rule {
  pattern: RegExp
  better: string
}

/** Wordings that readers stumble over. Each pattern has to have next to no false positives. */
const RULES: readonly Rule[] = [
  {
    pattern: /(?<!\bthere )\bis no (?!longer\b|more\b|less\b|fewer\b)(?:[a-z]|$)/i,
    better: '"is not a …", "is not valid …"',
  },
  { pattern: /(?<!\bthere )\bare none\b/i, better: '"are invalid", or say what is missing' },
  { pattern: /(?<!\bthere )\bis none\b(?! of\b)/i, better: '"is not one", "is not a …"' },
  { pattern: /\bso many\b/i, better: '"at most … of them", or name the number' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, better: '"fix", of data "repair"' },
  { pattern: /\bwho(?:so)?ever\b/i, better: '"anyone who …", or name the person' },
  { pattern: /\bwhatever\b/i, better: '"any …", "regardless of …"' },
  { pattern: /\bnobody [a-z]/i, better: 'turn the sentence round: name who or what does it' },
  { pattern: /\b(?:has|have) not\s*(?:[.,;:!?)]|$)/i, better: '"does not have", "does not allow"' },
  { pattern: /\bat once\b/i, better: '"immediately", or "at the same time"' },
  { pattern: /\bif it stays\b/i, better: '"if it keeps happening"' },
  { pattern: /\bis meant\b/i, better: '"Did you mean …?"' },
  { pattern: /\b(?:is|are|be) had\b/i, better: '"get"' },
  { pattern: /\bkeeps? us out\b/i, better: '"blocks us"' },
  { pattern: /\b(?:tells?|told) of\b/i, better: '"report"' },
  { pattern: /\b(?:be|is) a text\b/i, better: '"a string"' },
  { pattern: /\bhalf (?:of a character|characters?)\b/i, better: '"an unpaired surrogate"' },
]

/** In texts for users these words have other meanings, or are names. */
const COMMENT_RULES: readonly Rule[] = [
  { pattern: /\bbeside\b/i, better: '"next to", "with", "in addition to", "except"' },
  { pattern: /\bas (?:it|they) stands?\b/i, better: '"current", "unchanged"' },
  { pattern: /\btwins?\b/i, better: '"broken variant", "copy"' },
  { pattern: /\brungs?\b/i, better: '"level"' },
  { pattern: /\bportraits?\b/i, better: '"snapshot"' },
]

/** A line of a text, and its number in the file. */
interface Line {
  line: number
  text: string
}

interface Comment {
  start: number
  end: number
}

const COMMENT_MARK = /^\s*(?:\/\/|\/\*+|\*\/|\*)/

function linesOf(code: string, start: number, text: string): Line[] {
  const first = code.slice(0, start).split('\n').length
  return text.split('\n').map((line, index) => ({ line: first + index, text: line }))
}

/** The string literals, template texts and JSX texts of a TypeScript file, and its comments. */
function textsOf(file: string, code: string): { texts: Line[][]; comments: Line[][] } {
  const { program, comments, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const texts: Line[][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, value } = node as { type?: string; start?: number; value?: unknown }
    if (start !== undefined) {
      if (type === 'TemplateElement') {
        texts.push(linesOf(code, start, (value as { raw: string }).raw))
      } else if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') {
        texts.push(linesOf(code, start, value))
      }
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return { texts, comments: commentsIn(code, comments) }
}

/** Line comments that follow each other are one text: a sentence may go on over several. */
function commentsIn(code: string, comments: readonly Comment[]): Line[][] {
  const blocks: Comment[] = []
  for (const { start, end } of comments) {
    const last = blocks.at(-1)
    if (last && /^\n\s*$/.test(code.slice(last.end, start))) last.end = end
    else blocks.push({ start, end })
  }
  return blocks.map(({ start, end }) =>
    linesOf(code, start, code.slice(start, end)).map(({ line, text }) => ({
      line,
      text: text.replace(COMMENT_MARK, ''),
    })),
  )
}

/** Each fault as `file:line: the text → a better wording`. */
function faultsIn(file: string, code: string, withComments = true): string[] {
  const { texts, comments } = file.endsWith('.md')
    ? { texts: [linesOf(code, 0, code)], comments: [] }
    : textsOf(file, code)
  const found = texts.flatMap((text) => faultsOf(text, RULES))
  if (withComments) {
    found.push(...comments.flatMap((text) => faultsOf(text, [...RULES, ...COMMENT_RULES])))
  }
  return found.map((fault) => `${file}:${fault}`)
}

/** Long sentences are wrapped: a space and a line break are the same. */
function faultsOf(lines: readonly Line[], rules: readonly Rule[]): string[] {
  const text = lines.map((line) => line.text.trim()).join(' ')
  return rules.flatMap(({ pattern, better }) => {
    const found = pattern.exec(text)
    if (found === null) return []
    const excerpt = text.slice(Math.max(0, found.index - 40), found.index + 60)
    return `${lineAt(lines, found.index)}: …${excerpt.trim()}… → ${better}`
  })
}

/** The number of the line that holds this position of the joined text. */
function lineAt(lines: readonly Line[], position: number): number | undefined {
  let end = 0
  return lines.find(({ text }) => {
    end += text.trim().length + 1
    return position < end
  })?.line
}

const isTest = (file: string) =>
  /\.(?:test|e2e|bench|production)\.tsx?$|(?:^|\/)testing(?:\.tsx?|\/)/.test(file)

const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.md'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => existsSync(file) && !isTest(file) && !file.endsWith('.d.ts'))

/** Whose comments are not in plain English yet. This list only shrinks. */
const COMMENTS_TO_DO = ['server/access/', 'server/attribution/']

const isDone = (file: string) => !COMMENTS_TO_DO.some((room) => file.startsWith(room))

test('texts and comments are in plain English', () => {
  expect(files.length).toBeGreaterThan(300)
  const faults = files.flatMap((file) => faultsIn(file, readFileSync(file, 'utf8'), isDone(file)))
  expect(faults).toEqual([])
})

test.each([
  ["const a = 'This is no URL.'", 1],
  ['const a = `\nThis is no URL.`', 2],
  ['const a = (\n  <p>\n    Ask whoever runs\n    it.\n  </p>\n)', 3],
  ['const a = <p title="Mend it">b</p>', 1],
  ['const a = 1\n// Nobody is told.', 2],
  ['/** What\n * it reads, so\n * many times. */\nconst a = 1', 2],
  ['// One line, and the\n// twin of it.', 2],
  ['const a = (\n  <p>\n    {/* What is\n      none. */}\n  </p>\n)', 3],
  ["// There is none.\nconst a = 'There is no URL. It is no longer there.'", null],
])('%j is a fault in line %j', (code, line) => {
  const lines = faultsIn('a.tsx', code).map((fault) => Number(fault.split(':')[1]))
  expect(lines).toEqual(line === null ? [] : [line])
})
