import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, inject } from 'vitest'
import { installPackages } from '../../testing/registry.ts'
import { isSkipped, production } from './world.ts'

const run = promisify(execFile)

// The suite's newest release knows no revision without handshakes: that takes a prerelease.
const PACKAGES = {
  inspector: '@modelcontextprotocol/inspector@2.12.0',
  conformance: '@modelcontextprotocol/conformance@0.1.16',
  'conformance-next': '@modelcontextprotocol/conformance@0.2.0-alpha.12',
}

export type Suite = 'conformance' | 'conformance-next'

/** The variables that lead a client to the store and to nobody else. */
type ClientEnv = Readonly<Record<string, string>>

/**
 * What the Inspector prints of a method; its exit code says what is wrong, zero that nothing is.
 */
interface Inspected {
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  result: any
}

/** A check of the suite, as it writes it. */
interface SuiteCheck {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
  details?: unknown
}

/**
 * What a table says of a scenario, if that is so; else what the suite complains of. `notOurs` has,
 * by the reason for which a scenario is not about an endpoint, what each complaint says then.
 */
function verdictOf<Reason extends string>(
  checks: readonly SuiteCheck[],
  expected: Reason | 'passes' | undefined,
  notOurs: Readonly<Record<Reason, RegExp>>,
): string {
  const complaints = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ errorMessage, details }) => errorMessage ?? JSON.stringify(details))
  if (complaints.length === 0) {
    return checks.some(({ status }) => status === 'SUCCESS') ? 'passes' : 'judged nothing'
  }
  if (expected === undefined || expected === 'passes') return complaints.join('\n')
  const strange = complaints.filter((complaint) => !notOurs[expected].test(complaint))
  return strange.length === 0 ? expected : strange.join('\n')
}

/** The same for all scenarios that a suite has judged. */
export const verdictsOf = <Reason extends string>(
  found: Readonly<Record<string, readonly SuiteCheck[]>>,
  table: Readonly<Record<string, Reason | 'passes'>>,
  notOurs: Readonly<Record<Reason, RegExp>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(found).map(([name, checks]) => [name, verdictOf(checks, table[name], notOurs)]),
  )

/**
 * The clients, and what `open` starts for them; both end with the tests of the file. Without the
 * npm registry these tests fail where nothing may be missing, and else say that they are skipped.
 */
export async function withMcpClients<World extends { close: () => Promise<void> }>(
  open: () => Promise<World>,
) {
  const clients = isSkipped() ? null : await installMcpClients(production().folder)
  if (clients === null && !isSkipped()) {
    const missing =
      'The npm registry cannot be reached, which has the MCP Inspector and the MCP conformance suite.'
    if (inject('productionRequired')) throw new Error(missing)
    process.stdout.write(`${missing} Their tests are skipped.\n`)
  }
  const given = clients && { ...clients, ...(await open()) }
  afterAll(async () => {
    await given?.close()
    await given?.remove()
  })
  return {
    isWithout: given === null,
    world: () => {
      if (given === null) throw new Error('These tests are skipped.')
      return given
    },
  }
}

/**
 * The MCP project's own clients, installed into a folder of their own below `parent`: the
 * Inspector's command line and the conformance suite. Null: the registry cannot be reached.
 */
async function installMcpClients(parent: string) {
  const folder = await mkdtemp(join(parent, 'mcp-clients-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@npm:${version}`)
  try {
    if (!(await installPackages(folder, packages))) {
      await remove()
      return null
    }
  } catch (error) {
    await remove()
    throw error
  }
  const home = join(folder, 'home')
  await mkdir(home)

  /** Runs a program to its end, whatever code that has. */
  const runProgram = async (file: string, args: readonly string[], env: ClientEnv) => {
    const program = join(folder, 'node_modules', file)
    const own = { PATH: process.env.PATH ?? '', HOME: home, NODE_USE_ENV_PROXY: '1' }
    const options = { cwd: folder, env: { ...own, ...env }, maxBuffer: 64 * 2 ** 20 }
    return run(process.execPath, [program, ...args], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), stdout, stderr }),
    )
  }

  return {
    remove,

    /** Has the Inspector send one method to a program that speaks on stdin and stdout. */
    inspectProgram: async (
      command: readonly string[],
      era: 'legacy' | 'modern',
      method: readonly string[],
      env: ClientEnv,
    ): Promise<Inspected> => {
      const passed = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
      const { code, stdout, stderr } = await runProgram(
        'inspector/clients/launcher/build/index.js',
        [
          ...['--cli', ...passed, '--transport', 'stdio', '--protocol-era', era],
          ...['--format', 'json', '--quiet', '--method', ...method, '--', ...command],
        ],
        env,
      )
      if (stdout === '') throw new Error(`The Inspector ended with ${code}: ${stderr}`)
      return { code, result: JSON.parse(stdout).result }
    },

    /** Has the Inspector send one method to an endpoint. */
    inspect: async (
      url: string,
      era: 'legacy' | 'modern',
      method: readonly string[],
      env: ClientEnv,
    ): Promise<Inspected> => {
      const { code, stdout, stderr } = await runProgram(
        'inspector/clients/launcher/build/index.js',
        [
          ...['--cli', '--server-url', url, '--transport', 'http', '--protocol-era', era],
          ...['--format', 'json', '--quiet', '--stored-auth-only', '--method', ...method],
        ],
        env,
      )
      if (stdout === '') throw new Error(`The Inspector ended with ${code}: ${stderr}`)
      return { code, result: JSON.parse(stdout).result }
    },

    /** Runs the suite against an endpoint: the checks that it made, by their scenario. */
    conform: async (
      suite: Suite,
      url: string,
      options: readonly string[],
      env: ClientEnv,
    ): Promise<Record<string, SuiteCheck[]>> => {
      const results = await mkdtemp(join(folder, 'results-'))
      const args = ['server', '--url', url, '--output-dir', results, ...options]
      const { stdout, stderr } = await runProgram(`${suite}/dist/index.js`, args, env)
      const names = await readdir(results)
      if (names.length === 0) throw new Error(`The suite judged nothing: ${stdout}${stderr}`)
      return Object.fromEntries(
        await Promise.all(
          names.map(async (name) => {
            const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
            const checks = await readFile(join(results, name, 'checks.json'), 'utf8')
            return [scenario, JSON.parse(checks)] as const
          }),
        ),
      )
    },
  }
}
