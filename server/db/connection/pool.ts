import postgres, { type ReservedSql, type Sql, type TransactionSql } from 'postgres'

// postgres.js 3.4.9, its newest release, mishandles connections that end
// (https://github.com/porsager/postgres/issues: 1208, 1216, 1189, 1186). This pool gives each client
// one connection, and works around these bugs:
//
// - It writes the ROLLBACK of a transaction after its connection has ended, in a callback that
//   cannot be caught: the process dies. Here such a transaction never reaches its ROLLBACK.
// - It reconnects under a transaction whose work is still running, so its statements and its COMMIT
//   run in the next one. Here a client whose connection has ended is dropped.
// - A BEGIN that is the hundredth statement in the queue of a connection does not reserve it, so
//   other statements run in that transaction. Here a connection has one borrower at a time.
// - It never answers statements of a transaction that were not sent yet. Here they are rejected.

/** The interface of the driver over at most `max` connections. */
export type Pool = Sql & {
  load: () => PoolLoad
  /**
   * Waits for a slot and reserves it for a connection that is opened elsewhere, so that the process
   * stays within `max` connections. Call the returned function to free the slot.
   */
  reserveSlot: () => Promise<() => void>
}

/** A connection is replaced after 30 to 60 minutes, as by the driver. */
const LIFETIME_MS = 30 * 60_000

/** Connections in use, borrowers that wait for one, and the limit. */
export interface PoolLoad {
  inUse: number
  waiting: number
  max: number
}

/** A request for a connection. */
interface Borrower {
  take: (connection: Connection) => void
  refuse: Reject
  /** Names whose connections are limited: each may have `shareOf(max)` of them at a time. */
  shares: readonly string[]
}

/** A client of the driver with one connection. */
interface Connection {
  client: Sql
  /** The shares of its borrower. */
  shares: readonly string[]
  isLost: boolean
  /** Milliseconds on the clock of `performance`. */
  replaceAt: number
  /** Rejects the statements that wait for an answer on it. */
  waiting: Set<Reject>
}

type Reject = (error: unknown) => void

/** A statement inside the driver: the first `await` calls its handler, once. */
interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void
  reject: Reject
}

type Work<Tx> = (tx: Tx) => unknown

type Options = NonNullable<Parameters<typeof postgres>[1]>

/** The connections that one domain, or one node of a cluster, may have of `max` at a time. */
const shareOf = (max: number) => Math.max(2, Math.floor(0.4 * max))

/** How long a borrower waits while its share is used up. */
const SHARE_WAIT_MS = 10_000
/** How many borrowers may wait for one share. */
const SHARE_QUEUE = 500

interface PoolOptions extends Options {
  max: number
  /** The names that limit a statement's connections, of this pool; none: it may take any. */
  shares?: (pool: Sql) => readonly string[]
  /** How long a borrower waits for a connection of its share, in milliseconds. */
  shareWaitMs?: number
  /**
   * How long a statement outside a transaction, or a BEGIN, waits for its answer before its
   * connection is dropped, in milliseconds, including the time to connect; without a limit unless
   * given. Postgres has its own limit, but cannot report it over a broken network, where TCP
   * retries for a quarter of an hour. The work of a transaction is not limited here.
   */
  answersWithinMs?: number
}

/**
 * At most `max` connections behind the interface of the driver. When a connection ends, its
 * statements are rejected, and the next one opens another connection; nothing is sent twice.
 * Cursors and LISTEN are not supported.
 */
export function createPool(
  url: string,
  {
    max,
    shares: findShares = () => [],
    shareWaitMs = SHARE_WAIT_MS,
    answersWithinMs,
    ...options
  }: PoolOptions,
): Pool {
  // Builds the statements and holds the settings; it never connects.
  const maker = postgres(url, { ...options, max: 1 })
  const connections = new Set<Connection>()
  const idle: Connection[] = []
  const borrowers: Borrower[] = []
  const share = shareOf(max)
  /** Connections by share. */
  const lent = new Map<string, number>()
  let knowsTypes = false
  let ended: Promise<void> | null = null

  function open(): Connection {
    const connection: Connection = {
      shares: [],
      isLost: false,
      replaceAt: performance.now() + LIFETIME_MS * (1 + Math.random()),
      waiting: new Set(),
      client: singleClient(maker, {
        // Queried once: the process dies if the connection ends during this query.
        fetch_types: maker.options.fetch_types && !knowsTypes,
        onclose: () => drop(connection),
      }),
    }
    connections.add(connection)
    return connection
  }

  /** The driver calls it in the turn in which a connection ends, before any statement rejects. */
  function drop(connection: Connection) {
    if (connection.isLost) return
    connection.isLost = true
    connections.delete(connection)
    countBack(connection)
    const index = idle.indexOf(connection)
    if (index >= 0) idle.splice(index, 1)
    for (const reject of connection.waiting) reject(lost())
    connection.client.end({ timeout: 0 }).catch(() => {})
    lendToNext()
  }

  function giveBack(connection: Connection) {
    if (connection.isLost) return
    knowsTypes = true
    countBack(connection)
    if (performance.now() > connection.replaceAt) drop(connection)
    else idle.push(connection)
    lendToNext()
  }

  function countBack(connection: Connection) {
    for (const name of connection.shares) {
      const left = (lent.get(name) ?? 0) - 1
      if (left > 0) lent.set(name, left)
      else lent.delete(name)
    }
    connection.shares = []
  }

  const isTaken = ({ shares }: Borrower) => shares.some((name) => (lent.get(name) ?? 0) >= share)

  function lend(take: Borrower['take'], refuse: Reject) {
    if (ended) return refuse(closed())
    const borrower = { take, refuse, shares: findShares(pool) }
    borrowers.push(borrower)
    lendToNext()
    if (borrower.shares.length > 0 && borrowers.includes(borrower)) limitWait(borrower)
  }

  /** A borrower whose share is used up does not delay others, and is rejected in the end. */
  function limitWait(borrower: Borrower) {
    const giveUp = () => {
      const index = borrowers.indexOf(borrower)
      if (index < 0) return
      borrowers.splice(index, 1)
      borrower.refuse(shareTaken())
    }
    const alike = borrowers.filter(({ shares }) =>
      shares.some((name) => borrower.shares.includes(name)),
    )
    if (alike.length > SHARE_QUEUE) giveUp()
    else setTimeout(giveUp, shareWaitMs).unref()
  }

  function lendToNext() {
    while (!ended && (idle.length > 0 || connections.size < max)) {
      const index = borrowers.findIndex((each) => !isTaken(each))
      const [borrower] = index < 0 ? [] : borrowers.splice(index, 1)
      if (borrower === undefined) return
      const connection = idle.pop() ?? open()
      connection.shares = borrower.shares
      for (const name of borrower.shares) lent.set(name, (lent.get(name) ?? 0) + 1)
      borrower.take(connection)
    }
  }

  /** Drops a connection unless the returned function is called in time. */
  function limitAnswer(connection: Connection) {
    const late = answersWithinMs && setTimeout(drop, answersWithinMs, connection)
    return () => clearTimeout(late)
  }

  function run(statement: Statement) {
    const take = (connection: Connection) => {
      const answered = limitAnswer(connection)
      const over = (leave: typeof drop) => {
        answered()
        leave(connection)
      }
      statement.then(
        () => over(giveBack),
        (error) => over(isAnswer(error) ? giveBack : drop),
      )
      asStatement(connection.client``).handler(statement)
    }
    lend(take, statement.reject)
  }

  async function begin(...[work, settings = '']: [Work<TransactionSql>, string?]) {
    const connection = await new Promise(lend)
    const answered = limitAnswer(connection)
    let thrown: unknown
    try {
      const result = await connection.client.begin(settings, (tx) => {
        answered()
        return whileConnected(connection, tx, work, (error) => {
          thrown = error
        })
      })
      giveBack(connection)
      return result
    } catch (error) {
      answered()
      // An error of the work is rethrown after the answer to the ROLLBACK: the connection is fine.
      if (error === thrown || isAnswer(error)) giveBack(connection)
      else drop(connection)
      throw error
    }
  }

  async function reserve() {
    const connection = await new Promise(lend)
    const answered = limitAnswer(connection)
    try {
      await connection.client`select 1`
      answered()
      const reserved = await connection.client.reserve()
      const release = () => {
        reserved.release()
        giveBack(connection)
      }
      return guarded(connection, reserved, { release })
    } catch (error) {
      answered()
      drop(connection)
      throw error
    }
  }

  async function reserveSlot() {
    const connection = await new Promise(lend)
    // Still counted towards `max`, but never lent.
    connection.isLost = true
    await connection.client.end({ timeout: 5 })
    return () => {
      connections.delete(connection)
      lendToNext()
    }
  }

  function end(ending?: { timeout?: number }) {
    ended ??= Promise.all([...connections].map(({ client }) => client.end(ending))).then(() => {})
    for (const { refuse } of borrowers.splice(0)) refuse(closed())
    return ended
  }

  const pool = withHandler(maker, run, {
    begin: (...args: unknown[]) => begin(...workLast<TransactionSql>(args)),
    reserve,
    end,
    close: end,
  })
  const load = () => ({
    inUse: connections.size - idle.length,
    waiting: borrowers.length,
    max,
  })
  return Object.assign(pool, { load, reserveSlot })
}

/**
 * The work of a transaction. It settles only while the connection is open: afterwards the driver
 * must not send COMMIT or ROLLBACK.
 */
function whileConnected(
  connection: Connection,
  tx: TransactionSql,
  work: Work<TransactionSql>,
  onThrown: (error: unknown) => void = () => {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const result = (async () => work(guarded(connection, tx)))()
    result.then(
      (value) => connection.isLost || resolve(value),
      (error: unknown) => {
        if (connection.isLost) return
        onThrown(error)
        reject(error)
      },
    )
  })
}

/** A transaction whose statements are rejected once the connection has ended. */
function guarded<Tx extends TransactionSql | ReservedSql>(
  connection: Connection,
  tx: Tx,
  own: object = {},
): Tx {
  const { waiting } = connection
  const run = (statement: Statement, handler: Statement['handler']) => {
    if (connection.isLost) return statement.reject(lost())
    waiting.add(statement.reject)
    const over = () => waiting.delete(statement.reject)
    statement.then(over, over)
    handler(statement)
  }
  const savepoint = (...args: unknown[]) => {
    const [work] = workLast<TransactionSql>(args)
    return new Promise((resolve, reject) => {
      if (connection.isLost || !('savepoint' in tx)) return reject(lost())
      waiting.add(reject)
      tx.savepoint((inner) => whileConnected(connection, inner, work))
        .then(resolve, reject)
        .finally(() => waiting.delete(reject))
    })
  }
  return withHandler(tx, run, { savepoint, ...own })
}

/**
 * An interface of the driver whose statements go through `run`, which gets their own handler.
 * Fragments of a statement are never awaited, so they do not go through it.
 */
function withHandler<T extends Sql | TransactionSql | ReservedSql>(
  sql: T,
  run: (statement: Statement, handler: Statement['handler']) => void,
  own: object,
): T {
  const redirect = (made: unknown) => {
    if (!(made instanceof Promise)) return made
    const statement = asStatement(made)
    const { handler } = statement
    statement.handler = () => run(statement, handler)
    return statement
  }
  const members = {
    ...own,
    unsafe: (...args: unknown[]) => redirect(Reflect.apply(sql.unsafe, sql, args)),
  }
  return new Proxy(sql, {
    apply: (target, _, args) => redirect(Reflect.apply(target, undefined, args)),
    get: (target, name) => Reflect.get(name in members ? members : target, name),
  })
}

/** The driver accepts parsed settings unchanged, and shares the types that it has read. */
const singleClient = (maker: Sql, options: { fetch_types: boolean; onclose: () => void }): Sql =>
  postgres({ ...maker.options, ...options, max: 1, max_lifetime: null } as unknown as Options)

/** Every promise that the driver makes for a statement is one of these (its `src/query.js`). */
const asStatement = (made: Promise<unknown>) => made as Statement

/** The driver takes the work as its last argument, after an optional text. */
function workLast<Tx>(args: unknown[]): [Work<Tx>, string?] {
  const work = args.at(-1) as Work<Tx>
  return args.length > 1 ? [work, String(args[0])] : [work]
}

/** Whether Postgres answered and stays connected: FATAL and PANIC end the connection. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity === 'ERROR'

// The codes are the driver's own: see `failures.ts`.
const lost = () =>
  Object.assign(new Error('The connection to the database has ended.'), {
    code: 'CONNECTION_CLOSED',
  })

const shareTaken = () =>
  Object.assign(new Error('All connections that one domain may have at a time are in use.'), {
    code: 'CONNECTION_SHARE_TAKEN',
  })

const closed = () =>
  Object.assign(new Error('The pool of connections is closed.'), { code: 'CONNECTION_ENDED' })

interface OwnPoolOptions {
  max: number
  /** The name under which Postgres shows its connections. */
  name: string
  signal?: AbortSignal | undefined
}

/**
 * Connections for maintenance, which takes longer than a statement of the service may. `signal`
 * ends them and rejects their statements; call `close` in any case.
 */
export function openOwnPool(url: string, { max, name, signal }: OwnPoolOptions) {
  const pool = createPool(url, {
    max,
    // In seconds.
    connect_timeout: 5,
    fetch_types: false,
    // Names of prepared statements are lost behind a pooler.
    prepare: false,
    onnotice: () => {},
    connection: { application_name: name },
  })
  const abort = () => void pool.end({ timeout: 0 })
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  const close = async () => {
    signal?.removeEventListener('abort', abort)
    await pool.end({ timeout: 5 })
  }
  return { pool, close }
}
