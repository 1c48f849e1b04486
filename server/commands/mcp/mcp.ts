import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { printable, printableError } from '../../../shared/web/text/printable.ts'
import type { Config } from '../../config.ts'
import { createMcpServer } from '../../mcp/server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { localBackend } from './local-backend.ts'

/** The streams of the protocol. */
interface McpStreams {
  input: Readable
  output: Writable
}

/**
 * The tools for an assistant on this machine, over MCP on stdin and stdout: no service, no key and
 * no database. Ends when its input does, or `signal` aborts. Only the protocol is written to
 * `output`; remarks go to stderr.
 */
export async function mcpCommand(
  { input, output }: McpStreams,
  { config, version }: { config: Config; version: string },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const backend = localBackend(config, () => new Date())
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const say = (error: unknown) => terminal.remark(printable`aisle mcp: ${printableError(error)}`)
  const transport = new StdioServerTransport(input, output)
  const server = serveStdio(
    () =>
      createMcpServer({
        backend,
        version,
        failed: (error, tool) => say(new Error(`${tool} failed: ${String(error)}`)),
      }),
    { transport, onerror: say },
  )
  input.once('end', end)
  input.once('close', end)
  output.once('error', () => end())
  signal.addEventListener('abort', () => end(), { once: true })
  if (signal.aborted) end()
  try {
    await ended
  } finally {
    await server.close()
    await backend.close()
  }
}
