import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Database } from '../connect.ts'

/** The same database, and the text of each statement that is sent to it from now on. */
export function recordStatements(database: Database): {
  database: Database
  statements: Set<string>
} {
  const statements = new Set<string>()
  const sql = recording(database.sql, statements)
  return { database: { ...database, sql, db: drizzle({ client: sql }) }, statements }
}

function recording<Client extends object>(client: Client, statements: Set<string>): Client {
  const sql = client as unknown as Sql
  return new Proxy(client, {
    apply(_, __, args: Parameters<Sql>) {
      // A call with anything else makes a part of a statement.
      const [strings] = args as unknown as [TemplateStringsArray | object | string]
      if (typeof strings === 'object' && 'raw' in strings) {
        statements.add(strings.raw.reduce((text, part, n) => `${text}$${n}${part}`))
      }
      return Reflect.apply(sql as never, undefined, args)
    },
    get(_, name) {
      if (name === 'unsafe') {
        return (...args: Parameters<Sql['unsafe']>) => {
          statements.add(args[0])
          return sql.unsafe(...args)
        }
      }
      if (name === 'begin') {
        return (...args: unknown[]) => {
          const work = args.pop() as (tx: object) => unknown
          const begin = sql.begin as (...given: unknown[]) => unknown
          return begin(...args, (tx: object) => work(recording(tx, statements)))
        }
      }
      return Reflect.get(client, name)
    },
  })
}
