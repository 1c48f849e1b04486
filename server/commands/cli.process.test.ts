import { describe, expect, inject, test } from 'vitest'
import { testDatabase } from '../testing/app.ts'
import { program } from '../testing/program.ts'
import { AISLE_VERSION } from '../version.ts'
import { formatsInWords } from './formats/formats.ts'
import { runProgram, warmProgram } from './testing/run-program.ts'

const aisle = warmProgram(await program('cli'))
const { url } = await testDatabase()
const cwd = inject('runFolder')
const env = { ...process.env, NODE_ENV: '', BASE_URL: '', PORT: '' }
const run = (line: string, DATABASE_URL = url) =>
  aisle(line.split(' '), { cwd, env: { ...env, DATABASE_URL } })

test.each([
  ['explain nope --json', 'invalid_argument', 'nope'],
  ['explain a b --json', 'invalid_argument', 'too many arguments'],
  ['keys create --scopes all --json', 'invalid_argument', '--scopes: "all"'],
  ['keys list --json --nope', 'invalid_argument', "unknown option '--nope'"],
  ['watches look none.example --json', 'watch_not_found', 'none.example'],
  ['audit none.example --json --nope', 'invalid_argument', "unknown option '--nope'"],
  ['audit none.example --json --format sarif', 'invalid_argument', 'not both'],
  ['nope --json', 'invalid_argument', "unknown command 'nope'"],
])(
  '%s: the error is JSON on standard output, and a sentence beside it',
  async (line, code, says) => {
    const ran = await run(line)
    expect(ran.code).toBe(2)
    const { error } = JSON.parse(ran.out)
    expect(error.code).toBe(code)
    expect(error.message).toContain(says)
    expect(ran.err).toContain(error.message)
  },
)

test('a database that is not there is told as JSON too', async () => {
  const { out, code } = await run('keys list --json', 'postgres://a:b@127.0.0.1:1/c')
  expect(code).toBe(2)
  expect(JSON.parse(out)).toEqual({
    error: { code: 'failed', message: expect.stringContaining('Cannot connect to the database') },
  })
})

test.each(['explain nope', 'explain -- --json', 'keys list --nope', 'help explain'])(
  '%s: nobody asked for JSON',
  async (line) => {
    expect((await run(line)).out).not.toContain('"error"')
  },
)

test.each([
  ['watches lst', "error: unknown command 'lst'\n(Did you mean list?)"],
  ['watches nothing-like-it', "error: unknown command 'nothing-like-it'"],
  ['watches help lst', "error: unknown command 'lst'\n(Did you mean list?)"],
  ['help watches lst', "error: unknown command 'lst'\n(Did you mean list?)"],
  ['help audti', "error: unknown command 'audti'\n(Did you mean audit?)"],
])('%s: the name that there is not is told', async (line, says) => {
  const { out, err, code } = await run(line)
  expect({ out, err: err.trimEnd().replaceAll('  | ', ''), code }).toEqual({
    out: '',
    err: says,
    code: 2,
  })
})

test.each(['watches', 'watches --json', 'watches list', 'watches list --json'])(
  '%s lists what is watched',
  async (line) => {
    const { out, code } = await run(line)
    expect(code).toBe(0)
    if (line.endsWith('--json')) expect(JSON.parse(out)).toEqual([])
    else expect(out).toContain('Nothing is watched yet.')
  },
)

test.each(['audit', 'validate', 'walk'] as const)(
  'the help of %s names every format',
  async (command) => {
    const { out } = await run(`help ${command}`)
    const named = formatsInWords(command)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`${named} (default: text)`)
  },
)

test.each([
  ['help keys create', 'aisle keys create [options]'],
  ['keys help create', 'aisle keys create [options]'],
  ['help store signing-keys rotate', 'aisle store signing-keys rotate [options]'],
])('%s is the help of the last of them', async (line, usage) => {
  const { out, code } = await run(line)
  expect(code).toBe(0)
  expect(out).toMatch(`Usage: ${usage}\n`)
})

test('the help of all says what exit codes mean, and how to ask for more', async () => {
  const { out } = await run('--help')
  expect(out).toContain('\nExit code: 0 all is as it was asked for, 1 ')
  expect(out).toContain('aisle help <command>')
})

describe('the file -', () => {
  const validate = async (input: string) =>
    runProgram(await program('cli'), ['validate', '-'], { cwd, env, input })

  test('is what a pipe brings', async () => {
    const { out, code } = await validate('{"version":"2031-01-01"}')
    expect(out).toContain('standard input   invalid')
    expect(code).toBe(1)
  })

  test('is read no further than a file', async () => {
    const { err, code } = await validate(' '.repeat(4 * 2 ** 20 + 1))
    expect(err).toBe('Standard input has more than the 4,194,304 bytes that are read.\n')
    expect(code).toBe(2)
  })
})

test.each(['--version', '-V'])(
  '%s is the version of the project, also in a checkout',
  async (line) => {
    expect(await run(line)).toEqual({ out: `${AISLE_VERSION}\n`, err: '', code: 0 })
  },
)

test.each(['help keys create --json', 'help keys create a b', 'keys help create extra'])(
  '%s is help of the command',
  async (line) => {
    expect(await run(line)).toMatchObject({
      out: expect.stringContaining('Usage: aisle keys create [options]'),
      code: 0,
    })
  },
)

test.each(['help watches', 'help watches --help', 'watches help', 'watches --help', 'help'])(
  '%s is help',
  async (line) => {
    const { out, code } = await run(line)
    expect(code).toBe(0)
    expect(out).toContain(
      line === 'help' ? 'Usage: aisle [' : 'Usage: aisle watches [options] [command]\n',
    )
  },
)
