import fc from 'fast-check'
import { anyText } from '../../../testing/any-text.ts'
import { answered } from './answered.ts'

/** What stands where something else should: texts as numbers, methods of objects, far too much. */
const ODD: readonly unknown[] = [
  null,
  [],
  {},
  '',
  '.',
  '..',
  '../../admin',
  '\ud800',
  '\u0000',
  '1999',
  -0,
  1e308,
  2 ** 53,
  0.5,
  true,
  'x'.repeat(200_000),
  { toString: 'x', valueOf: 1 },
  JSON.parse('{"__proto__":{"code":"x"},"constructor":{"name":1},"hasOwnProperty":null}'),
  Array.from({ length: 2000 }, () => ({})),
]

const odd = fc.oneof(fc.constantFrom(...ODD), fc.jsonValue({ maxDepth: 4 }), anyText())

/** Each key of a right answer, at any depth, replaced by something odd. */
const brokenAt = (right: unknown, path: readonly string[], put: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return put
  if (Array.isArray(right)) {
    return right.map((item, at) => (String(at) === key ? brokenAt(item, rest, put) : item))
  }
  return Object.fromEntries(
    Object.entries(Object(right)).map(([name, inner]) => [
      name,
      name === key ? brokenAt(inner, rest, put) : inner,
    ]),
  )
}

const placesOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? [
        [],
        ...Object.entries(value).flatMap(([key, inner]) =>
          placesOf(inner).map((rest) => [key, ...rest]),
        ),
      ]
    : [[]]

/** Answers of a store that means harm, made from right ones. */
export const hostileAnswers = (...right: unknown[]) => {
  const places = right.flatMap((each) => placesOf(each).map((path) => ({ each, path })))
  const body = fc
    .tuple(fc.constantFrom(...places), odd)
    .map(([{ each, path }, put]) => brokenAt(each, path, put))
  const status = fc.constantFrom(
    200,
    201,
    202,
    204,
    302,
    400,
    401,
    402,
    404,
    409,
    410,
    422,
    429,
    500,
    599,
  )
  return fc
    .tuple(status, fc.oneof(body, odd), fc.constantFrom('application/json', 'text/html', ''))
    .map(([code, sent, type]) => answered(code, sent, { type }))
}
