/** What a PromQL expression selects. */
export interface Selector {
  name: string
  matchers: { label: string; operator: '=' | '!=' | '=~' | '!~'; value: string }[]
}

/** PromQL keywords in our expressions, at places where a metric could be. */
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'by', 'without', 'on', 'ignoring'])

/**
 * The selectors of an expression, in order: all names that are neither a function nor a keyword.
 */
export function selectorsOf(expr: string): Selector[] {
  const bare = expr
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, '')
  return [...bare.matchAll(/(?<![\w$.:"])([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?(?! *\(|\w)/g)].flatMap(
    ([, name = '', inside = '']) => {
      if (KEYWORDS.has(name)) return []
      const matchers = [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
        ([, label = '', operator, value = '']) => ({
          label,
          operator: operator as Selector['matchers'][number]['operator'],
          value,
        }),
      )
      return [{ name, matchers }]
    },
  )
}

/** Whether a series, such as `name{label="value"}`, is one that a selector selects. */
export function isSelected(series: string, { name, matchers }: Selector): boolean {
  if (series.split('{')[0] !== name) return false
  return matchers.every(({ label, operator, value }) => {
    const found = new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? ''
    const isEqual = operator.endsWith('~')
      ? new RegExp(`^(?:${value})$`).test(found)
      : found === value
    return isEqual === operator.startsWith('=')
  })
}
