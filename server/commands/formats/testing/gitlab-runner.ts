import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'

const Job = z.strictObject({
  image: z.string(),
  stage: z.string(),
  variables: z.record(z.string(), z.string()),
  script: z.array(z.string()),
  artifacts: z.strictObject({
    when: z.enum(['always', 'on_success', 'on_failure']),
    paths: z.array(z.string()),
    reports: z.strictObject({ junit: z.string() }),
  }),
})

const template = z
  .strictObject({ 'audit-stores': Job })
  .parse(parse(await readFile('deploy/gitlab-audit.yml', 'utf8')))
/** The job that the documented template defines. */
export const gitlabJob = template['audit-stores']

/**
 * Runs its script like a runner of GitLab: all lines in one bash that ends at the first failure, in
 * the folder of the project, with the variables of the job, those of the project, which take
 * precedence (docs.gitlab.com/ci/variables, "CI/CD variable precedence"), and those of the runner.
 */
export async function runGitlabJob(
  set: Record<string, string>,
  { project, env }: { project: string; env: NodeJS.ProcessEnv },
): Promise<{ log: string; code: number | null }> {
  const temp = await mkdtemp(join(project, '..', 'gitlab-'))
  const script = ['set -eo pipefail', 'set +o noclobber', ...gitlabJob.script].join('\n')
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: project,
    env: {
      ...env,
      ...gitlabJob.variables,
      ...set,
      CI: 'true',
      GITLAB_CI: 'true',
      CI_JOB_NAME: 'audit-stores',
      CI_JOB_STAGE: gitlabJob.stage,
      CI_PROJECT_DIR: project,
      CI_BUILDS_DIR: temp,
      FF_USE_NEW_BASH_EVAL_STRATEGY: 'false',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
  }
  // A runner sends the script to the shell's input.
  child.stdin.end(`${script}\n`)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { log, code }
}
