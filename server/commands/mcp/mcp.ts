import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { domainOfAddress } from '../../../shared/web/address/domain.ts'
import { printable, printableError } from '../../../shared/web/text/printable.ts'
import type { GivenAccess } from '../../audit/with-access.ts'
import type { Config } from '../../config.ts'
import { createMcpServer } from '../../mcp/server.ts'
import type { Signer } from '../../signatures/signer.ts'
import { readGivenHeaders } from '../given-headers.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { localBackend } from './local-backend.ts'

/** The streams of the protocol. */
interface McpStreams {
  input: Readable
  output: Writable
}

/** What `--header` gives for the store of `--domain`. Throws a `CommandError` for one alone. */
export function readMcpAccess({
  domain,
  header,
}: {
  domain?: string
  header?: string[]
}): GivenAccess {
  if (domain === undefined && header === undefined) return null
  const read = domainOfAddress(domain ?? '')
  if ('problem' in read || header === undefined) {
    throw new CommandError(
      printable`Give --header with the --domain of the store that it is for, such as shop.example.`,
    )
  }
  return readGivenHeaders(header, read.domain)
}

/**
 * The tools for an assistant on this machine, over MCP on stdin and stdout: no service, no key and
 * no database. Ends when its input does, or `signal` aborts. Only the protocol is written to
 * `output`; remarks go to stderr.
 */
export async function mcpCommand(
  { input, output }: McpStreams,
  deps: { config: Config; version: string; access: GivenAccess; signer: Signer | null },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { config, version } = deps
  const backend = localBackend(config, () => new Date(), deps)
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
