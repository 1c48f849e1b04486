import type * as z from 'zod'

/** What a field must be, by the type that zod expected, to follow the field's name. */
type Kinds = Readonly<Record<string, string>>

const KINDS: Kinds = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

/**
 * Zod's errors in plain words that follow the name of a field: `quantity` +
 * `must be a whole number of at least 1`. For `schema.safeParse(input, { error: fieldErrors() })`;
 * a message that the schema states itself comes first. `kinds` replaces the words for single types.
 */
export function fieldErrors(kinds: Kinds = {}): z.core.$ZodErrorMap {
  const words: Kinds = { ...KINDS, ...kinds }
  return (issue) => {
    if (issue.input === undefined) return 'is missing'
    const isNumber = typeof issue.input === 'number'
    switch (issue.code) {
      case 'invalid_type':
        return words[issue.expected] ?? 'is not valid'
      case 'too_small':
        return isNumber ? `${words.number} of at least ${issue.minimum}` : 'must not be empty'
      case 'too_big':
        return isNumber
          ? `${words.number} of at most ${issue.maximum}`
          : `must have at most ${issue.maximum} characters`
      case 'invalid_value':
        return `must be one of ${issue.values.join(', ')}`
      default:
        return 'is not valid'
    }
  }
}

/**
 * The first four issues in one line, each as `describe` writes it: people correct few at a time.
 */
export const describeIssues = (
  issues: readonly z.core.$ZodIssue[],
  describe: (path: string, message: string) => string,
): string =>
  issues
    .slice(0, 4)
    .map(({ path, message }) => describe(path.join('.'), message))
    .join('; ')
