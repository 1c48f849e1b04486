import { expect, test } from 'vitest'
import * as z from 'zod'
import project from '../../package.json' with { type: 'json' }
import server from '../../server.json' with { type: 'json' }
import { MCP_PATH } from './path.ts'

/*
 * What the MCP registry requires of `server.json`, as far as this file uses it: the schema that it
 * names (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json) and the
 * registry's own rules. Strict, so that a misspelt field is noticed.
 */

const Version = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'one exact version')
const Text100 = z.string().min(1).max(100)
const Input = z.strictObject({
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  placeholder: z.string().optional(),
})
const ServerJson = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: Text100,
  description: Text100,
  version: Version,
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.string(),
      version: Version,
      runtimeHint: z.literal('npx'),
      packageArguments: z.array(
        z.strictObject({ type: z.literal('positional'), value: z.string() }),
      ),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https:\/\/\S+$/),
      variables: z.record(z.string(), Input),
      headers: z.array(Input.extend({ name: z.string() })),
    }),
  ),
})

test('server.json is what the MCP registry takes', () => {
  expect(ServerJson.parse(server)).toEqual(server)
})

test('it is of this package, and npm can prove it', () => {
  expect(server.version).toBe(project.version)
  expect(project.mcpName).toBe(server.name)
  const [local] = server.packages
  expect([local?.identifier, local?.version]).toEqual([project.name, project.version])
  expect(local?.packageArguments).toEqual([{ type: 'positional', value: 'mcp' }])
})

test('it leads to the address that is served, with the header that is asked for', () => {
  const [remote] = server.remotes
  const names = [...(remote?.url ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(Object.keys(remote?.variables ?? {})).toEqual(names)
  expect(new URL((remote?.url ?? '').replace('{host}', 'aisle.example')).pathname).toBe(MCP_PATH)
  expect(remote?.headers).toMatchObject([
    { name: 'Authorization', isRequired: true, isSecret: true },
  ])
})
