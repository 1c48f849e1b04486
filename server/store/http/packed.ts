import type { MiddlewareHandler } from 'hono'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Env } from './routing.ts'

/**
 * Packs the file of a path that ends in `.gz` or `.parquet`. This is the file's own form, not a
 * transfer encoding: there is no `Content-Encoding`. It wraps the faults, because they change text.
 */
export const packFiles: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { body, status } = c.res
  if (status !== 200 || body === null) return
  if (c.req.path.endsWith('.gz')) {
    c.res = new Response(body.pipeThrough(new CompressionStream('gzip')), {
      headers: { 'content-type': 'application/gzip' },
    })
  } else if (c.req.path.endsWith('.parquet')) {
    c.res = new Response(parquetOf(await c.res.text()), {
      headers: { 'content-type': 'application/vnd.apache.parquet' },
    })
  }
}

/** The objects of JSON Lines as the rows of a Parquet file; what is in no row has no column. */
function parquetOf(lines: string): ArrayBuffer {
  const rows = lines
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  const names = [...new Set(rows.flatMap(Object.keys))]
  return parquetWriteBuffer({
    columnData: names.map((name) => ({
      name,
      data: rows.map((row) => cellOf(row[name])),
      nullable: true,
    })),
  })
}

/** Text, numbers and booleans as they are, all else as JSON, which every reader knows. */
const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value
