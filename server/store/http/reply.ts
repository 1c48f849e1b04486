/**
 * An answer of the store before it becomes a Response: plain data, so that a fault can change it.
 */
export interface Reply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** Milliseconds to wait before it is sent. */
  delay?: number
  /** Close the connection instead of answering. */
  hangUp?: boolean
}

const reply = (type: string, body: string, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  ...more,
  headers: { 'content-type': type, ...more.headers },
  body,
})

/** A reply of 200 with a value as JSON; `more` changes its status and adds headers. */
export const json = (value: unknown, more?: Partial<Reply>): Reply =>
  reply('application/json', JSON.stringify(value), more)

/** A page; `more` changes its status of 200 and adds headers. */
export const html = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/html; charset=utf-8', body, more)

/** An XML document; `more` changes its status of 200 and adds headers. */
export const xml = (body: string, more?: Partial<Reply>): Reply =>
  reply('application/xml; charset=utf-8', body, more)

/** Plain text; `more` changes its status of 200 and adds headers. */
export const text = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/plain; charset=utf-8', body, more)

/** A stylesheet; `more` changes its status of 200 and adds headers. */
export const css = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/css; charset=utf-8', body, more)

/** A script; `more` changes its status of 200 and adds headers. */
export const javascript = (body: string, more?: Partial<Reply>): Reply =>
  reply('text/javascript; charset=utf-8', body, more)

/** A picture; `more` changes its status of 200 and adds headers. */
export const svg = (body: string, more?: Partial<Reply>): Reply =>
  reply('image/svg+xml', body, more)

/** Any cache may keep it for `seconds` (RFC 9111 §5.2.2). */
export const cacheable = (seconds: number): Partial<Reply> => ({
  headers: { 'cache-control': `public, max-age=${seconds}` },
})
