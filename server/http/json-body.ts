import { malformedJson } from './errors.ts'

/** The value of a body that is read as text. Throws 400 when it is not JSON. */
export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedJson()
  }
}
