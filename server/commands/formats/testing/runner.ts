import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { parse } from 'yaml'
import * as z from 'zod'

const Step = z.strictObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
})
const Action = z.object({
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(Step) }),
})

export const actionFile = Action.parse(parse(await readFile('action.yml', 'utf8')))

/** The job's view of an action that has run. */
interface ActionRun {
  log: string
  code: number | null
  summary: string
  outputs: Record<string, string>
  /** Other actions that it used, with their inputs. */
  used: { uses: string; with: Record<string, string> }[]
}

/**
 * Runs action.yml like a runner of GitHub: its expressions by GitHub's own evaluator, its scripts
 * by bash, with a runner's files and variables (docs.github.com/actions). Actions that it uses are
 * recorded and not run.
 */
export async function runAction(
  given: Record<string, string>,
  { workspace, env }: { workspace: string; env: NodeJS.ProcessEnv },
): Promise<ActionRun> {
  const temp = await mkdtemp(join(workspace, '..', 'runner-'))
  const [output, summary, changes] = ['output', 'summary', 'env'].map((name) => join(temp, name))
  if (output === undefined || summary === undefined || changes === undefined) throw new Error()
  for (const file of [output, summary, changes]) await writeFile(file, '')
  const inputs = Object.fromEntries(
    Object.entries(actionFile.inputs).map(([name, each]) => [
      name,
      given[name] ?? each.default ?? '',
    ]),
  )
  const steps: Record<string, Record<string, string>> = {}
  const text = (value: string | number) =>
    String(value).replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
      evaluate(expression, inputs, steps),
    )
  const run: ActionRun = { log: '', code: 0, summary: '', outputs: {}, used: [] }
  for (const step of actionFile.runs.steps) {
    const condition = step.if ?? 'success()'
    const isWanted = text(condition.startsWith('${{') ? condition : `\${{ ${condition} }}`)
    const isReached = run.code === 0 || /always\(\)/.test(condition)
    if (!isReached || isWanted !== 'true') continue
    if (step.uses !== undefined) {
      const settings = Object.entries(step.with ?? {}).map(([key, value]) => [key, text(value)])
      run.used.push({ uses: step.uses, with: Object.fromEntries(settings) })
      continue
    }
    const script = join(temp, `${step.id ?? 'step'}.sh`)
    await writeFile(script, text(step.run ?? ''))
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: workspace,
      env: {
        ...env,
        ...Object.fromEntries(
          Object.entries(step.env ?? {}).map(([key, value]) => [key, text(value)]),
        ),
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: resolve('.'),
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_ENV: changes,
        GITHUB_RUN_ATTEMPT: '1',
        RUNNER_TEMP: temp,
        RUNNER_OS: 'Linux',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        run.log += chunk
      })
    }
    run.code = await new Promise((done) => child.on('close', done))
    if (step.id !== undefined) steps[step.id] = outputsIn(await readFile(output, 'utf8'))
  }
  run.summary = await readFile(summary, 'utf8')
  if ((await readFile(changes, 'utf8')) !== '') throw new Error('GITHUB_ENV was written to.')
  run.outputs = Object.fromEntries(
    Object.entries(actionFile.outputs).map(([name, each]) => [name, text(each.value)]),
  )
  return run
}

function evaluate(
  expression: string,
  inputs: Record<string, string>,
  steps: Record<string, Record<string, string>>,
): string {
  // The runner provides the function that says whether earlier steps failed.
  const known = expression.replace(/\b(always|success)\(\)/g, 'true')
  const dictionary = (values: Record<string, data.ExpressionData>) =>
    new data.Dictionary(...Object.entries(values).map(([key, value]) => ({ key, value })))
  const texts = (values: Record<string, string>) =>
    dictionary(
      Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, new data.StringData(value)]),
      ),
    )
  const context = dictionary({
    inputs: texts(inputs),
    steps: dictionary(
      Object.fromEntries(
        Object.entries(steps).map(([id, outputs]) => [id, dictionary({ outputs: texts(outputs) })]),
      ),
    ),
  })
  const { tokens } = new Lexer(known).lex()
  const parsed = new Parser(tokens, ['inputs', 'steps'], []).parse()
  return new Evaluator(parsed, context).evaluate().coerceString()
}

/** As the runner reads GITHUB_OUTPUT (FileCommandManager in actions/runner). */
function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  while (lines.length > 0) {
    const line = lines.shift() ?? ''
    const [, name = '', sign, rest = ''] = /^([^=<]*)(=|<<)(.*)$/.exec(line) ?? []
    if (sign === '=') outputs[name] = rest
    if (sign !== '<<') continue
    const end = lines.indexOf(rest)
    if (end < 0) throw new Error(`${name} does not end.`)
    outputs[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join('\n')
  }
  return outputs
}
