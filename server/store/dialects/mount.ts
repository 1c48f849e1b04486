import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Db } from '../../db/connect.ts'
import type { McpRefusal } from '../../http/mcp-post.ts'
import { findSession } from '../checkout/sessions.ts'
import { sessions } from '../db/tables.ts'
import { type Env, readJsonBody, send } from '../http/routing.ts'
import {
  applyFaults,
  type CallFailure,
  type JsonObject,
  type OperationCall,
  type Reply,
  type StoreRequest,
} from '../http/store-request.ts'
import { answerMcp, type ToolAnswer } from './mcp/transport.ts'

/** A call whose caller is known, before anything is done. */
export interface ReadCall<Answer> extends Pick<OperationCall, 'id' | 'given' | 'isKeyed'> {
  run: (call: Pick<OperationCall, 'id' | 'given' | 'isKeyed'>) => Promise<Answer>
  fail: (failure: CallFailure) => Answer
}

/** What a dialect reads of a request: the call, or its answer where there is none. */
type Read<Answer> = ReadCall<Answer> | { answer: Answer }

type Methods<Name> = Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH', Name>>

/** A dialect: its operations by name, and how it reads and answers each over REST and over MCP. */
export interface MountedDialect<Name extends string, Answer> {
  /** Where faults change its calls. */
  place: 'ucpCall' | 'acpCall' | 'specUcpCall' | 'specAcpCall'
  /** The operations by path and method. */
  rest: Readonly<Record<string, Methods<Name>>>
  read: (c: Context<Env>, name: Name) => Promise<Read<Answer>>
  reply: (c: Context<Env>, answer: Answer, name: Name) => Reply | Promise<Reply>
  /** Answers any other method of its paths; without it the store does. */
  otherMethod?: (c: Context<Env>, allowed: readonly string[]) => Reply
  /** Changes an answer as a fault of the shop demands. */
  change?: (request: StoreRequest, name: Name, answer: Answer) => Answer | Promise<Answer>
  mcp?: Mcp<Name, Answer>
}

interface Mcp<Name, Answer> {
  path: string
  tools: readonly { name: Name; description: string; input: z.ZodType }[]
  read: (
    c: Context<Env>,
    name: Name,
    given: JsonObject,
  ) => Promise<Read<Answer> | { refusal: McpRefusal }>
  toTool: (c: Context<Env>, answer: Answer) => ToolAnswer
}

/** Mounts the operations of a dialect over REST and over MCP, with the faults of the shop. */
export function mount<Name extends string, Answer>(
  app: Hono<Env>,
  db: Db,
  dialect: MountedDialect<Name, Answer>,
): void {
  const { rest, mcp, otherMethod } = dialect
  const overRest = (name: Name) => async (c: Context<Env>) =>
    dialect.reply(c, await perform(db, dialect, c.var, name, await dialect.read(c, name)), name)
  const paths = Object.entries(rest).map(([path, methods]) => ({
    path,
    handlers: Object.entries(methods).map(([method, name]) => [method, overRest(name)] as const),
  }))
  if (mcp) paths.push({ path: mcp.path, handlers: [['POST', overMcp(db, dialect, mcp)]] })
  for (const { path, handlers } of paths) {
    if (otherMethod === undefined) {
      for (const [method, handle] of handlers) {
        app.on(method, path, async (c) => send(await handle(c)))
      }
    } else {
      const byMethod = new Map(handlers)
      app.all(path, async (c) => {
        const handle = byMethod.get(c.req.method === 'HEAD' ? 'GET' : c.req.method)
        return send(handle ? await handle(c) : otherMethod(c, [...byMethod.keys()]))
      })
    }
  }
}

function overMcp<Name extends string, Answer>(
  db: Db,
  dialect: MountedDialect<Name, Answer>,
  { tools, read, toTool }: Mcp<Name, Answer>,
): (c: Context<Env>) => Promise<Reply> {
  const declared = tools.map(({ input, ...tool }) => ({
    ...tool,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
  }))
  return async (c) => {
    const names = applyFaults(
      c.var.request,
      'tools',
      tools.map(({ name }) => name),
    )
    const call = async (named: string, given: JsonObject): Promise<ToolAnswer> => {
      // The transport only calls these.
      const name = named as Name
      const asked = await read(c, name, given)
      return 'refusal' in asked ? asked : toTool(c, await perform(db, dialect, c.var, name, asked))
    }
    const toolSet = { tools: declared.filter(({ name }) => names.includes(name)), call }
    return answerMcp(toolSet, c.req.raw, await readJsonBody(c))
  }
}

/** Performs a call over either transport, with the faults of the shop. */
async function perform<Name extends string, Answer>(
  db: Db,
  { place, change }: MountedDialect<Name, Answer>,
  { request, signedBy }: Env['Variables'],
  operation: Name,
  asked: Read<Answer>,
): Promise<Answer> {
  if ('answer' in asked) return asked.answer
  const { run, fail, ...call } = asked
  const isSigned = signedBy !== undefined
  const right = { operation, ...call, isSigned, failure: null, subject: 'named' } as const
  const { failure, subject, ...faulty } = applyFaults(request, place, right)
  if (failure !== null) return fail(failure)
  const answer = await aboutSubject(db, { id: faulty.id, subject }, (id) => run({ ...faulty, id }))
  return change ? change(request, operation, answer) : answer
}

/**
 * Changes which checkout a call is about, as a fault of the shop demands: one that was reopened
 * after its cancellation, or a copy, so that each payment makes its own order. The answer is plain
 * JSON and names the checkout that the call named.
 */
async function aboutSubject<Answer>(
  db: Db,
  { id, subject }: Pick<OperationCall, 'id' | 'subject'>,
  run: (id: string) => Promise<Answer>,
): Promise<Answer> {
  if (subject === 'reopened') await reopen(db, id)
  if (subject !== 'copied') return run(id)
  const copy = await copySession(db, id)
  return JSON.parse(JSON.stringify(await run(copy)).replaceAll(copy, id))
}

const reopen = (db: Db, id: string) =>
  db
    .update(sessions)
    .set({ status: 'pending_confirmation' })
    .where(and(eq(sessions.id, id), eq(sessions.status, 'canceled')))

async function copySession(db: Db, id: string): Promise<string> {
  const session = await findSession(db, id)
  if (session?.status !== 'pending_confirmation') return id
  const copy = `checkout_${randomUUID()}`
  await db.insert(sessions).values({ ...session, id: copy })
  return copy
}
