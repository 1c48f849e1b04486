import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { askPromtool } from './promtool.ts'

/** A file of alert rules. */
export const SERVICE_RULES = 'server/ops/alerts.yml'
export const STORE_RULES = 'server/store/ops/alerts.yml'

export interface AlertRule {
  alert: string
  expr: string
  /** All of it, without comments. */
  text: string
}

/** The rules of a file, whose form is strict enough to be read by lines. */
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

/** Series and their values minute by minute, in promtool's notation: `0+5x60` grows by 5 for an hour. */
export type Input = Record<string, string>

/** What was the case, and what is seen after so many minutes. */
export interface AlertCase {
  name: string
  input: Input
  minutes: number
  /** The alerts that fire then, of those that are looked at. */
  firing: string[]
  /** The one that is looked at; all of them unless given. */
  looked?: string
}

/**
 * Plays cases by `promtool test rules`, all in one run. Rejects with what it says, the case's name
 * included, where another alert fires.
 */
export async function playAlerts(path: string, cases: AlertCase[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-alerts-'))
  const exprOf = (looked?: string) => {
    const selector = looked === undefined ? '' : `,alertname="${looked}"`
    return `count by (alertname) (ALERTS{alertstate="firing"${selector}}) > bool 0`
  }
  try {
    const file = join(folder, 'cases.yml')
    // JSON is YAML.
    const tests = cases.map(({ name, input, minutes, firing, looked }) => ({
      name,
      interval: '1m',
      input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
      promql_expr_test: [
        {
          expr: exprOf(looked),
          eval_time: `${minutes}m`,
          exp_samples: firing.map((alertname) => ({
            labels: `{alertname="${alertname}"}`,
            value: 1,
          })),
        },
      ],
    }))
    const rule_files = [resolve(path)]
    await writeFile(file, JSON.stringify({ rule_files, evaluation_interval: '1m', tests }))
    expect(await askPromtool('test', 'rules', file)).toContain('SUCCESS')
  } finally {
    await rm(folder, { recursive: true })
  }
}
