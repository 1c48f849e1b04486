import * as z from 'zod'

/** A whole number in a query, only in decimal digits: JavaScript also reads '', 0x10 and 1e1. */
export function wholeNumber(least: number, most: number) {
  const error = `Send a whole number from ${least} to ${most}.`
  return z.coerce
    .string()
    .regex(/^\d+$/, { error, abort: true })
    .transform(Number)
    .pipe(z.int(error).min(least, error).max(most, error))
    .meta({ type: 'integer', minimum: least, maximum: most })
}
