import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What the change is about: the names that its files quote, such as ids of gaps and faults, and
 * `dialect:acp` for a file of that dialect. The change is all since the merge base with origin's
 * main, what is not committed included. Without git there is none.
 */
export function readChange(): string[] {
  const files = new Set(changedFiles())
  for (const file of files) {
    // Rules share the readers beside them.
    if (file.startsWith('shared/audit/checks/')) for (const each of beside(file)) files.add(each)
  }
  const code = [...files].filter((file) => /(?<!\.(?:test|e2e|bench))\.tsx?$/.test(file))
  return [...new Set([...code.flatMap(quotedIn), ...code.flatMap(dialectOf)])]
}

function changedFiles(): string[] {
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'origin/main')
  return [...git('diff', '--name-only', base), ...git('ls-files', '-o', '--exclude-standard')]
}

function git(...args: string[]): string[] {
  try {
    const said = execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return said.split('\n').filter((line) => line !== '')
  } catch {
    return []
  }
}

const beside = (file: string): string[] => {
  const folder = dirname(file)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

const quotedIn = (file: string): string[] =>
  existsSync(file)
    ? [...readFileSync(file, 'utf8').matchAll(/'([a-z0-9]+(?:[-_][a-z0-9]+)+)'/g)].map(
        ([, name = '']) => name,
      )
    : []

const dialectOf = (file: string): string[] => {
  const dialect = /\/dialects\/((?:spec-)?(?:acp|ucp))\b/.exec(file)?.[1]
  return dialect === undefined ? [] : [`dialect:${dialect}`]
}
