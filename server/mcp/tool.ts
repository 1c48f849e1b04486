import type * as z from 'zod'
import type { Backend, Job } from './backend.ts'

/**
 * What MCP clients learn about a tool, so that they know when to ask the person (MCP, Tool
 * annotations).
 */
interface ToolHints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** It sends requests to a store, whose author may be anyone. */
  openWorldHint: boolean
}

/** It only reads. `asksStore`: it sends requests to a store. */
export const readsOnly = ({ asksStore }: { asksStore: boolean }): ToolHints => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: asksStore,
})

/** A part of a tool's answer to a model: our own words, lines of a store, or a file to write. */
export type ToolWords = string | { store: readonly string[] } | { file: string }

/** A tool, in one file. */
interface ToolParts<Input extends z.ZodType, Output extends z.ZodType> {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  hints: ToolHints
  /** Fields of the output that hold whole files: they are not shortened. */
  exact?: readonly string[]
  /** Whether this backend can do it; by default all can. */
  isFor?: (backend: Backend) => boolean
  run: (asked: z.output<Input>, backend: Backend, job: Job) => Promise<z.input<Output>>
  /** The answer in words. Only `store` and `file` may contain a store's text. */
  say: (answer: z.input<Output>) => ToolWords[]
}

/** A tool of any shape: its input was parsed by its own schema. */
export interface McpToolOf extends Omit<ToolParts<z.ZodType, z.ZodType>, 'run' | 'say'> {
  call: (
    asked: unknown,
    backend: Backend,
    job: Job,
  ) => Promise<{ answer: unknown; said: ToolWords[] }>
}

/** Joins a tool's work and its answer, so that its own types are checked where it is written. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>({
  run,
  say,
  ...parts
}: ToolParts<Input, Output>): McpToolOf {
  return {
    ...parts,
    async call(asked, backend, job) {
      const answer = await run(parts.input.parse(asked), backend, job)
      return { answer, said: say(answer) }
    },
  }
}
