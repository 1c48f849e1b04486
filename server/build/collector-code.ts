import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { AGENT_TOKENS_PATTERN, APP } from '../../shared/attribution/agents.ts'

/** In settings, they stand for the tokens of all agents, and for apps that have such names. */
const PATTERNS = { '(AGENTS)': `(${AGENT_TOKENS_PATTERN})`, '(APPS)': `(${APP.source})` }

const FOLDER = 'server/pages/tools/collectors/code'

/** What imports the collector's code, which is pasted in one piece. */
const IMPORTS_OURS = /from '\.\./

let collected: Readonly<Record<string, string>> | undefined

/** The code of collectors, by its path below their folder. */
export const collectCollectorCode = (): Readonly<Record<string, string>> => {
  collected ??= collect()
  return collected
}

function collect(): Record<string, string> {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  const code = Object.fromEntries(
    files.map((path) => [nameOf(path), filled(readFileSync(path, 'utf8'))]),
  )
  const { outputFiles } = buildSync({
    entryPoints: files.filter((path) => IMPORTS_OURS.test(code[nameOf(path)] ?? '')),
    outdir: FOLDER,
    outbase: FOLDER,
    write: false,
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    // The first line says what a file is.
    legalComments: 'inline',
    logLevel: 'warning',
  })
  for (const { path, text } of outputFiles) {
    // Comments that esbuild adds name files that a store does not have.
    code[nameOf(path)] = text.replace(/^\/\/ \S+\/.*\n/gm, '')
  }
  return code
}

const filled = (text: string): string =>
  Object.entries(PATTERNS).reduce((all, [name, pattern]) => all.replace(name, () => pattern), text)

const nameOf = (path: string): string =>
  path.slice(path.replaceAll('\\', '/').indexOf(FOLDER) + FOLDER.length + 1).replaceAll('\\', '/')
