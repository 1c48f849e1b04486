/** One thing that happens in a row of the contract. */
export type Step = Given | Exchange | Told

/** An event: the clock, the stock, the PSP. */
export interface Given {
  kind: 'given'
  text: string
}

export interface Exchange {
  kind: 'exchange'
  method: string
  /** A path, or a whole address of another host. */
  target: string
  /** The caller, from the line's words after "as"; null for the default. */
  caller: string | null
  /** How often it is sent; each answer is compared. */
  times: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** As written, with variables. */
  body: string | null
  status: number
  /** Of the answer. A body is JSON unless the line says otherwise. */
  type: string
  expectedHeaders: Record<string, string>
  expected: string | null
}

/** A message that was sent elsewhere: `! event {…}`, `! webhook {…}`. */
export interface Told {
  kind: 'told'
  what: string
  expected: string
}

const REQUEST = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+)(?: as (.+?))?(?: ×(\d+))?$/
const HEADER = /^([A-Za-z][A-Za-z-]*): (.*)$/

/** The first line of a request; null for any other line. */
export function readRequestLine(
  line: string,
): Pick<Exchange, 'method' | 'target' | 'caller' | 'times'> | null {
  const found = REQUEST.exec(line)
  if (found === null) return null
  const [, method = '', target = '', caller = null, times = '1'] = found
  return { method, target, caller, times: Number(times) }
}

/** A header as it is written; null for any other line. */
export function readHeaderLine(line: string): { name: string; value: string } | null {
  const [, name, value] = HEADER.exec(line) ?? []
  return name === undefined || value === undefined ? null : { name: name.toLowerCase(), value }
}

/** A request from a line and a body, without an expected answer yet. */
export function startExchange(line: string, body: string | null = null): Exchange | null {
  const request = readRequestLine(line)
  return (
    request && {
      kind: 'exchange',
      ...request,
      headers: {},
      body,
      status: 0,
      type: 'application/json',
      expectedHeaders: {},
      expected: null,
    }
  )
}
