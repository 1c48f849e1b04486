import type { ErrorBody } from '../../http/errors.ts'
import EXAMPLES from './error-examples.json' with { type: 'json' }

type ErrorExample = Omit<ErrorBody['error'], 'code' | 'request_id'>

/**
 * By code, or by operation, status and code where one differs from most. The test writes the file
 * from the app's answers.
 */
const BY_NAME: Readonly<Record<string, ErrorExample>> = EXAMPLES

const REQUEST_ID = 'b5a0c7c2-6f0e-4d7e-9a43-0d9a3a1c5e21'

/** The codes in brackets in a response's description. */
export const errorCodesIn = (description: string): string[] =>
  [...description.matchAll(/\((`\w+`(?:, `\w+`)*)\)/g)].flatMap(([, list = '']) =>
    list.split(', ').map((code) => code.slice(1, -1)),
  )

/** As a component that many operations refer to, by code. */
export const sharedExamples = (): Record<string, { value: ErrorBody }> =>
  Object.fromEntries(
    Object.entries(BY_NAME)
      .filter(([name]) => !name.includes(' '))
      .map(([code, error]) => [code, { value: bodyOf({ code, ...error }) }]),
  )

/** The examples of a response of an operation such as `POST /api/audit`, by code. */
export function errorExamplesOf(
  operation: string,
  status: string,
  description: string,
): Record<string, { value: ErrorBody } | { $ref: string }> {
  const exampleOf = (code: string) => {
    const own = BY_NAME[`${operation} ${status} ${code}`]
    return own === undefined
      ? { $ref: `#/components/examples/${code}` }
      : { value: bodyOf({ code, ...own }) }
  }
  return Object.fromEntries(errorCodesIn(description).map((code) => [code, exampleOf(code)]))
}

const bodyOf = (error: ErrorExample & { code: string }): ErrorBody => ({
  error: { ...error, request_id: REQUEST_ID },
})
