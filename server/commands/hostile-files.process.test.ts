import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { onLoopback } from '../testing/on-loopback.ts'
import { program } from '../testing/program.ts'
import { warmProgram } from './testing/run-program.ts'

const runWarm = warmProgram(await program('cli'))
const folder = await mkdtemp(join(inject('runFolder'), 'hostile-files-'))
const at = (name: string) => join(folder, name)
const isPosix = process.platform !== 'win32'

/** What strangers may have put at a baseline's address. */
const strangers = await onLoopback((request, response) => {
  const { url = '' } = request
  // A client that has read enough disconnects.
  response.on('error', () => {})
  if (url === '/private') response.writeHead(302, { location: 'https://10.0.0.1/' }).end()
  else if (url === '/metadata') {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  } else if (url === '/plain') {
    response.writeHead(302, { location: 'http://shop.example/ok' }).end()
  } else if (url === '/round') response.writeHead(302, { location: '/round' }).end()
  else if (url === '/endless') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('['.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  } else if (url === '/slow') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 200)
    response.on('close', () => clearInterval(timer))
  } else if (url === '/silent') response.writeHead(200).flushHeaders()
  else if (url === '/binary') response.end(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x00]))
  else if (url === '/ok') response.end('{}')
  else if (url === '/deep') response.end('['.repeat(1_000_000))
  else response.writeHead(404).end()
})
afterAll(strangers.close)

const TEST_HOSTS = `*.example=${strangers.origin}`

function aisle(...args: string[]) {
  const env = { ...process.env, TEST_HOSTS, NODE_ENV: '', BASE_URL: '', PORT: '' }
  return runWarm(args, { cwd: folder, env })
}

/** Refused in a sentence that says what to do, and never with a stack trace. */
async function expectRefused(args: string[], says: RegExp): Promise<void> {
  const { out, err, code } = await aisle(...args, '--json')
  expect(err).not.toMatch(/\n\s+at /)
  const { error } = JSON.parse(out)
  expect(error.message).toMatch(says)
  // One sentence for any file.
  expect(error.message.length).toBeLessThan(400)
  expect(code).toBe(2)
}

await mkdir(at('folder'))
await writeFile(at('empty'), '')
await writeFile(at('binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x00, 0xff, 0xc3, 0x28]))
await writeFile(at('text'), 'score: 100\n')
await writeFile(at('null'), 'null')
await writeFile(at('list'), '[]')
await writeFile(at('types'), '{ "domain": [], "score": {}, "gaps": "none", "__proto__": 1 }')
await writeFile(at('results'), '{ "results": [null, 1, "x", { "domain": "a.example" }] }')
await writeFile(at('deep'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
await writeFile(
  at('deep-results'),
  `{"results":[${'{"gaps":'.repeat(50_000)}1${'}'.repeat(50_000)}]}`,
)
await writeFile(at('huge'), '{')
await truncate(at('huge'), 64 * 1024 * 1024)
await writeFile(at('file'), '{}')
if (isPosix) {
  execFileSync('mkfifo', [at('pipe')])
  await symlink('circle', at('circle'))
}

describe.concurrent('a baseline', () => {
  test.each<[file: string, says: RegExp]>([
    ['folder', /baseline folder is a folder\. Name a file in it\./],
    ['empty', /is not JSON\. Give a file that aisle audit --format json wrote\./],
    ['binary', /is not UTF-8\. Save it as UTF-8\./],
    ['text', /is not JSON/],
    ['null', /is not a result of aisle audit/],
    ['list', /is not a result of aisle audit/],
    ['types', /is not a result of aisle audit/],
    ['results', /is not a result of aisle audit \(results\.0\)/],
    ['deep', /is not (JSON|a result of aisle audit)/],
    ['deep-results', /is not (JSON|a result of aisle audit)/],
    ['huge', /has 67,108,864 bytes, and at most 16,777,216 are read/],
    ['file/below', /cannot be read|does not exist/],
    ['missing', /does not exist\. Check its name and the folder\./],
    ...(isPosix
      ? ([
          ['pipe', /is not a file\. Name a file\./],
          ['/dev/zero', /is not a file\. Name a file\./],
          ['circle', /cannot be read: ELOOP/],
        ] satisfies [string, RegExp][])
      : []),
    ['https://shop.example/private', /cannot be read/],
    ['https://shop.example/metadata', /cannot be read/],
    ['https://shop.example/plain', /a redirect from https to http/],
    ['https://shop.example/round', /cannot be read: .*redirect/],
    ['https://shop.example/endless', /more than 16 MiB/],
    ['https://shop.example/slow', /cannot be read/],
    ['https://shop.example/silent', /cannot be read/],
    ['https://shop.example/binary', /is not JSON/],
    ['https://shop.example/deep', /is not JSON/],
    ['https://127.0.0.1/', /cannot be read/],
    ['https://[::1]/', /cannot be read/],
    ['https://localhost/', /cannot be read/],
    ['http://shop.example/deep', /over https or from a file/],
    ['ftp://shop.example/', /over https or from a file/],
    ['https://', /over https or from a file/],
  ])('%s is refused', (source, says) =>
    expectRefused(['audit', 'shop.example', '--baseline', source], says),
  )
})

describe('aisle.json', () => {
  test.each<[file: string, says: RegExp]>([
    ['folder', /folder is a folder/],
    ['binary', /is not UTF-8/],
    ['empty', /empty has one problem/],
    ['text', /has one problem/],
    ['null', /has one problem/],
    ['list', /has one problem/],
    ['types', /has \d problems/],
    ['deep', /has one problem/],
    ['huge', /at most 262,144 are read/],
    ['file/below', /cannot be read|does not exist/],
    ...(isPosix
      ? ([
          ['pipe', /is not a file/],
          ['/dev/zero', /is not a file/],
          ['circle', /cannot be read: ELOOP/],
        ] satisfies [string, RegExp][])
      : []),
  ])('%s is refused', (file, says) => expectRefused(['audit', '--config', file], says))
})

describe('a manifest', () => {
  test.each<[file: string, says: RegExp]>([
    ['folder', /is a folder/],
    ['binary', /is not UTF-8/],
    ['huge', /at most 4,194,304 are read/],
    ['missing', /does not exist/],
    ...(isPosix ? ([['pipe', /is not a file/]] satisfies [string, RegExp][]) : []),
  ])('%s is refused', (file, says) => expectRefused(['validate', file], says))

  test.each(['empty', 'null', 'list', 'types', 'deep'])('%s is judged', async (file) => {
    const { out, err, code } = await aisle('validate', file, '--json')
    expect(err).not.toMatch(/\n\s+at /)
    expect(JSON.parse(out).valid ?? false).toBe(false)
    expect(code).toBeGreaterThan(0)
  })
})

describe('an output', () => {
  test.each<[file: string, says: RegExp]>([
    ['folder', /folder cannot be written: it is a folder\. Name another file\./],
    ['missing/a.json', /cannot be written: .*ENOENT/],
    ['file/below.json', /cannot be written: /],
    [`${'a'.repeat(300)}.json`, /cannot be written: .*ENAMETOOLONG/],
    ...(isPosix
      ? ([
          ['pipe', /it is not a file/],
          ['/dev/null', /it is not a file/],
          ['/proc/a.json', /cannot be written: /],
        ] satisfies [string, RegExp][])
      : []),
  ])('%s is refused', async (file, says) => {
    await writeFile(at('ucp.json'), '{ "version": "1.0" }')
    const { err, code } = await aisle('validate', 'ucp.json', '--output', file, '--format', 'json')
    expect(err).toMatch(says)
    expect(err).not.toMatch(/\n\s+at /)
    expect(code).toBe(2)
  })
})
