import { MAX_CREATE_MS } from '../../protocols/spec/ucp.ts'
import { withoutEndSlashes } from '../../web/address/uri.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall, Wanted } from '../operation.ts'
import type { Session } from '../session.ts'
import { pathPart } from './http.ts'
import { requestIdOf } from './request-id.ts'

/**
 * Shared by walks over official UCP and official ACP. Unspecified: neither limits how long an
 * answer may take. A buyer waits as long as the specification allows for opening a cart, and a
 * little longer if a bank is involved.
 */
export const OFFICIAL_LIMITS: Omit<WalkDialect['limits'], 'life'> = {
  open: MAX_CREATE_MS,
  change: MAX_CREATE_MS,
  complete: 5000,
}

/** For each wanted line the id of the existing line, each used once. */
export function lineIdsOf({ lines }: Wanted, last: Session | null): (string | null)[] {
  const free = [...(last?.lines ?? [])]
  return lines.map(({ product_id, variant_id }) => {
    const at = free.findIndex(({ item }) => item === (variant_id ?? product_id))
    return at === -1 ? null : (free.splice(at, 1)[0]?.id ?? null)
  })
}

/** Both want a name in two parts: the part after the first space is the last name. */
export function nameParts(name: string | undefined): { first_name?: string; last_name?: string } {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/)
  return {
    ...(first !== '' && { first_name: first }),
    ...(rest.length > 0 && { last_name: rest.join(' ') }),
  }
}

type Op = BuyerOperation['op']
/** Those on a cart have names of their own. */
export type RequestName = Op | `cart_${Op}`

export const requestNameOf = (operation: BuyerOperation): RequestName =>
  'at' in operation && operation.at === 'cart' ? `cart_${operation.op}` : operation.op

export const isOfCart = (operation: BuyerOperation): boolean =>
  requestNameOf(operation).startsWith('cart_')

/** Where a store speaks an official protocol over REST, and what each request says. */
interface OfficialRest {
  base: string
  headers: Record<string, string>
  /** Below the base; an operation without a place is not in the protocol. */
  endpoints: Partial<Record<RequestName, readonly ['GET' | 'POST' | 'PUT', path: string]>>
}

/** The request of an operation; null if the protocol has no such operation. */
export function restCall(
  { base, headers, endpoints }: OfficialRest,
  operation: BuyerOperation,
  json: Record<string, unknown> | undefined,
): DialectCall | null {
  const [method, path] = endpoints[requestNameOf(operation)] ?? []
  if (method === undefined || path === undefined) return null
  const id = 'id' in operation ? operation.id : ''
  const key = 'key' in operation ? operation.key : undefined
  return {
    over: 'http',
    method,
    url: withoutEndSlashes(base) + path.replace(':id', () => pathPart(id)),
    headers: {
      ...headers,
      'request-id': requestIdOf(`${requestNameOf(operation)} ${key ?? id}`),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(json && { json }),
  }
}
