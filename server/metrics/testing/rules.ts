import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { askPromtool } from './promtool.ts'

/** A file of alert rules. */
export const SERVICE_RULES = 'server/ops/alerts.yml'
export const STORE_RULES = 'server/store/ops/alerts.yml'

interface AlertRule {
  alert: string
  expr: string
  /** All of it, without comments. */
  text: string
}

/** The rules of a file, whose format is strict enough to be read by lines. */
export function readRules(path: string): AlertRule[] {
  const file = readFileSync(path, 'utf8')
  if (file.includes('\t') || !/^(#.*\n)*groups:\n {2}- name: \S+\n {4}rules:\n/.test(file)) {
    throw new Error(`${path} does not have the form that is read here.`)
  }
  return file
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => {
      const text = rule.replaceAll(/^ *#.*\n/gm, '')
      const [, block, line] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(text) ?? []
      const expr = (block ?? line ?? '').replaceAll(/\s+/g, ' ').trim()
      return { alert: text.split('\n')[0] ?? '', expr, text }
    })
}

/**
 * Series and their values minute by minute, in promtool's notation: `0+5x60` grows by 5 for an
 * hour.
 */
export type Input = Record<string, string>

/** The condition, and what is seen after so many minutes, or after each of several. */
interface AlertCase {
  name: string
  input: Input
  minutes: number | number[]
  /** The alerts that fire then, of those under test. */
  firing: string[]
  /** The alert under test; all of them unless given. */
  looked?: string
}

/** A file of tests for promtool: JSON is YAML. */
const testsOf = (rules: string, cases: AlertCase[]) =>
  JSON.stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: cases.map(({ name, input, minutes, firing, looked }) => ({
      name,
      interval: '1m',
      input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
      promql_expr_test: [minutes].flat().map((minute) => ({
        expr: exprOf(looked),
        eval_time: `${minute}m`,
        exp_samples: firing.map((alertname) => ({
          labels: `{alertname="${alertname}"}`,
          value: 1,
        })),
      })),
    })),
  })

const exprOf = (looked?: string) => {
  const selector = looked === undefined ? '' : `,alertname="${looked}"`
  return `count by (alertname) (ALERTS{alertstate="firing"${selector}}) > bool 0`
}

/**
 * Runs cases with `promtool test rules`, all in one go. A single alert is tested alone, unless its
 * rule reads others. Rejects with promtool's message and the case's name if another alert fires.
 */
export async function playAlerts(path: string, cases: AlertCase[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-alerts-'))
  const rules = readRules(path)
  const rulesFor = async (looked: string | undefined): Promise<string> => {
    if (looked === undefined) return resolve(path)
    const rule = rules.find(({ alert }) => alert === looked)
    if (rule === undefined) throw new Error(`${path} has no alert ${looked}.`)
    if (rule.expr.includes('ALERTS')) return resolve(path)
    const file = join(folder, `${looked}.rules.yml`)
    await writeFile(file, `groups:\n  - name: one\n    rules:\n      - alert: ${rule.text}`)
    return file
  }
  try {
    const files = await Promise.all(
      [...Map.groupBy(cases, ({ looked }) => looked)].map(async ([looked, some]) => {
        const file = join(folder, `${looked ?? 'all'}.cases.yml`)
        await writeFile(file, testsOf(await rulesFor(looked), some))
        return file
      }),
    )
    expect(await askPromtool('test', 'rules', ...files)).toContain('SUCCESS')
  } finally {
    await rm(folder, { recursive: true })
  }
}
