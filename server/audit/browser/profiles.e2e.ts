import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, utimes } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { familyOf } from './family.ts'
import { removeOldProfiles } from './profiles.ts'

const PROGRAM = `
import { createBrowsers } from ${JSON.stringify(import.meta.resolve('./browser.ts'))}
const [path, origin] = process.argv.slice(1)
const testHosts = [{ pattern: '*.example', origin }]
const browsers = createBrowsers({ path, userAgent: 'Aisle/test', testHosts })
await browsers.run('visit', { url: 'https://silent.example/' })
`

describeInBrowser('the profile of a browser', () => {
  test('is gone with its browser when the process that started it is killed', async () => {
    const folder = await mkdtemp(join(scratchFolder(), 'profiles-'))
    const asked: Socket[] = []
    const silent = createServer((socket) => void asked.push(socket)).listen(0, '127.0.0.1')
    await eventually(() => silent.listening).toBe(true)
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const args = ['--input-type=module', '-e', PROGRAM, inject('browserPath') ?? '']
    const owner = spawn(process.execPath, [...args, `http://127.0.0.1:${port}`], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'inherit',
    })
    try {
      await eventually(() => asked.length).toBeGreaterThan(0)
      expect(await readdir(folder)).toHaveLength(1)
      const family = await familyOf(owner.pid ?? -1)
      expect(family.length).toBeGreaterThan(3)
      owner.kill('SIGKILL')
      await eventually(() => readdir(folder)).toEqual([])
      const alive = async () => (await Promise.all(family.map(({ pid }) => familyOf(pid)))).flat()
      await eventually(alive).toEqual([])
    } finally {
      owner.kill('SIGKILL')
      for (const socket of asked) socket.destroy()
      silent.close()
    }
  })

  test('that was left behind is removed once no task can have it', async () => {
    const folder = await mkdtemp(join(scratchFolder(), 'profiles-'))
    const old = new Date(Date.now() - 60 * 60_000)
    for (const name of ['aisle-browser-old', 'aisle-browser-new', 'aisle-logs-old']) {
      await mkdir(join(folder, name, 'Default'), { recursive: true })
      if (name.endsWith('old')) await utimes(join(folder, name), old, old)
    }
    await removeOldProfiles(folder)
    expect((await readdir(folder)).sort()).toEqual(['aisle-browser-new', 'aisle-logs-old'])
  })
})
