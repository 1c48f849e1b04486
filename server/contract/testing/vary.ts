import { isRecord } from '../../../shared/web/json/json.ts'
import { type Exchange, readHeaderLine, readRequestLine } from './steps.ts'

const PIECE = /(no )?`([^`]+)`/g
const STATUS = /^(\d{3})\b/
const SET = /^([\w$.]+): (.*)$/s

/**
 * The request of a block with what a table's cells change in it. A request cell holds, in
 * backticks: `items.0.quantity: 0` (a field of the body), `body: [1]` (the whole body), `?page=2`
 * (a parameter), `Header: value`, `as another agent`, `/another/path` or `PUT /another/path`; "no"
 * before a field, a header or a parameter takes it away, and — alone stands for the request as it
 * is. An answer cell holds a status, then headers and the body in backticks.
 */
export function vary(exchange: Exchange, request: string, answer: string): Exchange {
  const varied: Exchange = { ...exchange, headers: { ...exchange.headers } }
  const pieces = [...request.matchAll(PIECE)]
  if (pieces.length === 0 && request !== '—') throw new Error(`"${request}" changes nothing.`)
  for (const [, no, piece = ''] of pieces) {
    if (no) takeAway(varied, piece)
    else change(varied, piece)
  }
  const status = STATUS.exec(answer)?.[1]
  if (status === undefined) throw new Error(`"${answer}" has no status.`)
  Object.assign(varied, { status: Number(status), expectedHeaders: {}, expected: null })
  for (const [, , piece = ''] of answer.matchAll(PIECE)) {
    const header = readHeaderLine(piece)
    if (header) varied.expectedHeaders[header.name] = header.value
    else if (/^[\w-]+\/[\w-]+$/.test(piece)) varied.type = piece
    else varied.expected = piece
  }
  return varied
}

function change(exchange: Exchange, piece: string): void {
  const request = readRequestLine(piece)
  const [, path, value = ''] = SET.exec(piece) ?? []
  const header = readHeaderLine(piece)
  if (request) Object.assign(exchange, { ...request, caller: request.caller ?? exchange.caller })
  else if (piece.startsWith('as ')) exchange.caller = piece.slice('as '.length)
  else if (/^(\/|https:)/.test(piece)) exchange.target = piece
  else if (piece.startsWith('?')) {
    const [name = '', ...rest] = piece.slice(1).split('=')
    exchange.target = withParameter(exchange.target, name, rest.join('='))
  } else if (path === 'body') exchange.body = value
  else if (header && /^[A-Z]/.test(piece)) exchange.headers[header.name] = header.value
  else if (path !== undefined) exchange.body = withField(exchange.body, path, JSON.parse(value))
  else throw new Error(`"${piece}" is not a change.`)
}

function takeAway(exchange: Exchange, piece: string): void {
  if (piece === 'body') exchange.body = null
  else if (piece.startsWith('?')) {
    exchange.target = withParameter(exchange.target, piece.slice(1), null)
  } else if (/^[A-Z]/.test(piece)) delete exchange.headers[piece.toLowerCase()]
  else exchange.body = withField(exchange.body, piece, undefined)
}

/** Parameters are written as they are sent. */
function withParameter(target: string, name: string, value: string | null): string {
  const [path = '', query = ''] = target.split('?')
  const others = query.split('&').filter((each) => each !== '' && each.split('=')[0] !== name)
  const all = value === null ? others : [...others, `${name}=${value}`]
  return all.length === 0 ? path : `${path}?${all.join('&')}`
}

/** Undefined removes the field. Throws if there is nothing to remove. */
function withField(body: string | null, path: string, value: unknown): string {
  const root: unknown = JSON.parse(body ?? '{}')
  const names = path.split('.')
  const last = names.pop() ?? ''
  let holder: unknown = root
  for (const name of names) holder = isHolder(holder) ? holder[name] : undefined
  if (!isHolder(holder)) throw new Error(`The body has no ${path}.`)
  if (value !== undefined) holder[last] = value
  else if (last in holder) delete holder[last]
  else throw new Error(`The body has no ${path} to take away.`)
  return JSON.stringify(root)
}

/** Lists are changed by their indexes. */
const isHolder = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) || Array.isArray(value)
