import type { Context } from 'hono'

/** Whether the client wants a page: a browser names the type, a client of the API does not. */
export const acceptsHtml = (c: Context): boolean =>
  (c.req.header('Accept') ?? '').includes('text/html')
