import * as z from 'zod'

// Prints two stacks as JSON: of an error of our own, and of one that a package throws.

const failBelow = () => {
  throw new Error('from below')
}

function stackOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return error instanceof Error ? (error.stack ?? '') : ''
  }
  return ''
}

const parse = (text: string) => z.lazy(() => parsed(text)).parse(1)

function parsed(text: string): z.ZodNumber {
  throw new Error(text)
}

process.stdout.write(
  JSON.stringify([stackOf(() => failBelow()), stackOf(() => parse('not a number'))]),
)
