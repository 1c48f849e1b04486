import { describeFetch, type JsonSeen } from '../web/http/fetched.ts'
import { excessOf, field, isRecord, shown } from '../web/json/json.ts'

/** A JSON-RPC error (JSON-RPC 2.0, 5.1), as far as it can be read. */
export interface RpcError {
  /** Null if it is not an integer. */
  code: number | null
  message: string
  data: unknown
}

/**
 * The outcome of a tool call: its payload, a refusal, or why neither can be read, as a part of a
 * sentence.
 */
type McpBody = { body: Record<string, unknown> } | { error: RpcError } | { problem: string }

/** The error of a JSON-RPC answer; null if it is not an error. */
export function rpcErrorOf({ json }: JsonSeen): RpcError | null {
  const error = json?.ok ? field(json.value, 'error') : undefined
  if (!isRecord(error)) return null
  const { code, message, data } = error
  return {
    code: Number.isInteger(code) ? Number(code) : null,
    message: typeof message === 'string' ? message : '',
    data,
  }
}

/** Whether an answer is a JSON-RPC response, even if its details are wrong. */
export function isRpc({ json }: JsonSeen): boolean {
  const value = json?.ok ? json.value : undefined
  if (!isRecord(value)) return false
  return Object.hasOwn(value, 'jsonrpc') || isRecord(value.result) || isRecord(value.error)
}

/**
 * The payload of a tool's answer (UCP overview, MCP, Response Format): `structuredContent`, else
 * the text of the content as JSON. Up to 2026-01-23 the result was the payload itself.
 */
export function mcpBody(seen: JsonSeen): McpBody {
  const error = rpcErrorOf(seen)
  if (error !== null) return { error }
  const asked = describeFetch(seen.fetched)
  if (seen.json === null) return { problem: asked }
  if (!seen.json.ok) return { problem: `${asked}, which cannot be read: ${seen.json.problem}` }
  const result = field(seen.json.value, 'result')
  if (!isRecord(result)) return { problem: `${asked} without a result` }
  const { structuredContent } = result
  if (isRecord(structuredContent)) return { body: structuredContent }
  const text = firstText(result.content)
  if (text !== null) {
    const body = parseText(text)
    return isRecord(body)
      ? { body }
      : { problem: `${asked} with the text ${shown(text)} where JSON was expected` }
  }
  return isRecord(result.ucp)
    ? { body: result }
    : { problem: `${asked} with a result that has no structuredContent` }
}

/** The tools over all pages of their list; null without a list. */
export function toolsIn({
  tools,
  more,
}: {
  tools: JsonSeen
  more: readonly JsonSeen[]
}): unknown[] | null {
  const lists = [tools, ...more].map(({ json }) =>
    json?.ok ? field(field(json.value, 'result'), 'tools') : undefined,
  )
  return Array.isArray(lists[0]) ? lists.flat() : null
}

/** The names of the tools; null without a list. */
export const toolNames = (seen: Parameters<typeof toolsIn>[0]): string[] | null =>
  toolsIn(seen)
    ?.map((tool) => field(tool, 'name'))
    .filter((name) => typeof name === 'string') ?? null

function firstText(content: unknown): string | null {
  const texts = Array.isArray(content) ? content.map((part) => field(part, 'text')) : []
  const text = texts.find((each) => typeof each === 'string')
  return typeof text === 'string' ? text : null
}

/** Undefined for invalid JSON, and for JSON beyond the limits of a document. */
function parseText(text: string): unknown {
  if (excessOf(text) !== null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
