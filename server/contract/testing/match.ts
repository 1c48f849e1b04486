import { isRecord } from '../../../shared/web/json/json.ts'

/** Named values of a row: taken from an answer, for later requests. */
export type Variables = Map<string, string>

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<anything>': (value) => value !== undefined,
  '<string>': (value) => typeof value === 'string' && value !== '',
  '<sentence>': (value) => typeof value === 'string' && /^[A-Z0-9“"].*[.?!]$/s.test(value),
  '<integer>': Number.isInteger,
  '<number>': (value) => typeof value === 'number',
  '<boolean>': (value) => typeof value === 'boolean',
  '<timestamp>': (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value),
  '<date>': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  '<https url>': (value) => typeof value === 'string' && URL.parse(value)?.protocol === 'https:',
  '<absent>': (value) => value === undefined,
  '<array>': Array.isArray,
  '<object>': isRecord,
  '<gaps, worst first>': isWorstFirst,
}

/** Such as `<integer 0 to 100>`: both ends are included. */
const RANGE = /^<(integer|number) ([\d.]+) to ([\d.]+)>$/

const SEVERITIES = ['critical', 'high', 'medium', 'low']

/** Gaps of at least two severities: with one any order would pass. */
function isWorstFirst(gaps: unknown): boolean {
  if (!Array.isArray(gaps)) return false
  const ranks = gaps.map((gap) => (isRecord(gap) ? SEVERITIES.indexOf(String(gap.severity)) : -1))
  return (
    new Set(ranks).size > 1 && ranks.every((rank, at) => rank >= 0 && rank >= (ranks[at - 1] ?? 0))
  )
}

const VARIABLE = /^\$[a-z][a-z0-9_]*$/

/**
 * Where a value differs from what is expected, each as a line; none when it is as expected.
 *
 * - An object may have more than what is expected, unless that has `"…": "nothing else"`.
 * - A list has as many items, unless the last is "…"; a list that begins with "…" holds the others
 *   somewhere.
 * - `"<integer>"` and the like stand for any such value, `"/…/"` for text that the pattern fits.
 * - `"$id"` is kept where it comes first, and the same from then on.
 */
export function differences(
  value: unknown,
  expected: unknown,
  variables: Variables,
  path = 'body',
): string[] {
  const differs = [`${path} is ${JSON.stringify(value)}, expected ${JSON.stringify(expected)}`]
  if (typeof expected === 'string') return isText(value, expected, variables) ? [] : differs
  if (Array.isArray(expected)) {
    return Array.isArray(value) ? listDifferences(value, expected, variables, path) : differs
  }
  if (!isRecord(expected)) return Object.is(value, expected) ? [] : differs
  if (!isRecord(value)) return differs
  const { '…': closed, ...fields } = expected
  const more = closed === undefined ? [] : Object.keys(value).filter((name) => !(name in fields))
  return [
    ...more.map((name) => `${path}.${name} is there, and nothing else is expected`),
    ...Object.entries(fields).flatMap(([name, each]) =>
      differences(value[name], each, variables, `${path}.${name}`),
    ),
  ]
}

function listDifferences(
  value: readonly unknown[],
  expected: readonly unknown[],
  variables: Variables,
  path: string,
): string[] {
  if (expected[0] === '…') {
    return expected
      .slice(1)
      .flatMap((each) =>
        value.some((item) => differences(item, each, new Map(variables)).length === 0)
          ? []
          : [`${path} is ${JSON.stringify(value)}, expected ${JSON.stringify(each)} in it`],
      )
  }
  const isOpen = expected.at(-1) === '…'
  const items = isOpen ? expected.slice(0, -1) : expected
  if (isOpen ? value.length < items.length : value.length !== items.length) {
    return [
      `${path} has ${value.length} items, expected ${items.length}${isOpen ? ' at least' : ''}: ${JSON.stringify(value).slice(0, 500)}`,
    ]
  }
  return items.flatMap((each, at) => differences(value[at], each, variables, `${path}[${at}]`))
}

function isText(value: unknown, expected: string, variables: Variables): boolean {
  const kind = KINDS[expected]
  if (kind) return kind(value)
  const [, type, least, most] = RANGE.exec(expected) ?? []
  if (type !== undefined) {
    if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) return false
    return value >= Number(least) && value <= Number(most)
  }
  if (VARIABLE.test(expected)) {
    const known = variables.get(expected)
    if (known !== undefined) return value === known
    if (typeof value !== 'string' || value === '') return false
    variables.set(expected, value)
    return true
  }
  const pattern = /^\/(.+)\/$/s.exec(expected)?.[1]
  if (pattern !== undefined) return typeof value === 'string' && new RegExp(pattern).test(value)
  return value === filled(expected, variables)
}

/** Text with the values of its `$names`. Throws at a name without a value. */
export const filled = (text: string, variables: Variables): string =>
  text.replaceAll(/\$[a-z][a-z0-9_]*/g, (name) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`${name} has no value yet.`)
    return value
  })
