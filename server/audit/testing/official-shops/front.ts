import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { isRecord } from '../../../../shared/web/json/json.ts'

/** A request to a store: read once, so that what stands before it may ask it more than once. */
export interface Asked {
  method: string
  /** The host that was asked. */
  host: string
  path: string
  search: string
  headers: Headers
  /** The body as text, empty where there is none. */
  text: string
  /** Node's own request and response. */
  env: HttpBindings | Http2Bindings
}

export type Ask = (asked: Asked) => Promise<Response>

/** What stands before a store, and changes what it is asked or what it answers. */
export type Front = (asked: Asked, ask: Ask) => Response | Promise<Response>

export type Json = Record<string, unknown>
export type Change = (body: Json) => Json

/** The store behind its fronts; the first is what a client meets. */
export const behind = (fronts: readonly Front[], store: Ask): Ask =>
  fronts.reduceRight<Ask>((ask, front) => async (asked) => front(asked, ask), store)

/** The body as a JSON object; empty when it is none. */
export function jsonOf({ text }: Pick<Asked, 'text'>): Json {
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

export const withJson = (asked: Asked, body: unknown): Asked => ({
  ...asked,
  text: JSON.stringify(body),
})

export const withHeader = (asked: Asked, name: string, value: string): Asked => {
  const headers = new Headers(asked.headers)
  headers.set(name, value)
  return { ...asked, headers }
}

/** The answer with another body; what was said of its length is gone. */
export function withBody(answer: Response, body: BodyInit | null, more: HeadersInit = {}) {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  for (const [name, value] of new Headers(more)) headers.set(name, value)
  return new Response(body, { status: answer.status, headers })
}

/** Changes a JSON object that is answered; anything else passes as it is. */
export async function changed(answer: Response, change: Change): Promise<Response> {
  if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer
  const text = await answer.text()
  const body = jsonOf({ text })
  return withBody(answer, Object.keys(body).length === 0 ? text : JSON.stringify(change(body)))
}

/** Changes one member of an object where it is an object itself. */
export const patch = (holder: Json, name: string, change: Change): Json => {
  const value = holder[name]
  return isRecord(value) ? { ...holder, [name]: change(value) } : holder
}

/** Changes each object of a list. */
export const eachOf = (holder: Json, name: string, change: Change): Json => {
  const list = holder[name]
  if (!Array.isArray(list)) return holder
  return { ...holder, [name]: list.map((each) => (isRecord(each) ? change(each) : each)) }
}

export const without = (holder: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)))

/** A front for some paths alone. */
export const at =
  (path: RegExp, front: Front): Front =>
  (asked, ask) =>
    path.test(asked.path) ? front(asked, ask) : ask(asked)

/** The store's own 404: nobody is served at these paths. */
export const gone = (path: RegExp): Front => at(path, (asked, ask) => ask(nowhere(asked)))

export const nowhere = (asked: Asked): Asked => ({
  ...asked,
  method: 'GET',
  path: '/nothing-is-here',
  search: '',
  text: '',
})
