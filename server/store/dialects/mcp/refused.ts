import type { McpRefusal, RpcId } from '../../../http/mcp-post.ts'
import { json, type Reply } from '../../http/store-request.ts'

export const NOT_STORED = { 'cache-control': 'no-store' }

/** A refusal as JSON-RPC's error. */
export const refused = (id: RpcId, { status, code, message, data, headers }: McpRefusal): Reply =>
  json(
    { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } },
    { status, headers: { ...NOT_STORED, ...headers } },
  )
