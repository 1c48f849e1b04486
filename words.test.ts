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
  { pattern: /\bare none\b/i, better: '"are invalid", or say what is missing' },
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
  { pattern: /\b(?:tell|told) of\b/i, better: '"report"' },
  { pattern: /\b(?:be|is) a text\b/i, better: '"a string"' },
  { pattern: /\bhalf (?:of a character|characters?)\b/i, better: '"an unpaired surrogate"' },
]

/** `text` starts at `offset` of the file. */
interface Said {
  text: string
  offset: number
}

/** The string literals, template texts and JSX texts of a TypeScript file. */
function textsOf(file: string, code: string): Said[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const said: Said[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, value } = node as { type?: string; start?: number; value?: unknown }
    if (start !== undefined) {
      if (type === 'TemplateElement') {
        said.push({ text: (value as { raw: string }).raw, offset: start })
      } else if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') {
        said.push({ text: value, offset: start })
      }
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return said
}

/** Each fault as `file:line: the text → a better wording`. */
function faultsIn(file: string, code: string): string[] {
  const texts = file.endsWith('.md') ? [{ text: code, offset: 0 }] : textsOf(file, code)
  return texts.flatMap(({ text, offset }) =>
    // Lines of JSX text and of Markdown are wrapped: a space and a line break are the same.
    RULES.flatMap(({ pattern, better }) => {
      const found = pattern.exec(text.replaceAll(/\s/g, ' '))
      if (found === null) return []
      const line = code.slice(0, offset + found.index).split('\n').length
      const excerpt = text.slice(Math.max(0, found.index - 40), found.index + 60)
      return `${file}:${line}: …${excerpt.replaceAll(/\s+/g, ' ').trim()}… → ${better}`
    }),
  )
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

test('texts are in plain English', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((file) => faultsIn(file, readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ["const a = 'This is no URL.'", 1],
  ['const a = `\nThis is no URL.`', 2],
  ['const a = (\n  <p>\n    Ask whoever runs\n    it.\n  </p>\n)', 3],
  ['const a = <p title="Mend it">b</p>', 1],
  ["// Nobody is told at once.\nconst a = 'There is no URL. It is no longer there.'", null],
])('%j is a fault in line %j', (code, line) => {
  const lines = faultsIn('a.tsx', code).map((fault) => Number(fault.split(':')[1]))
  expect(lines).toEqual(line === null ? [] : [line])
})
