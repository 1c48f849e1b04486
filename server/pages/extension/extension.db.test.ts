import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildAssets } from '../../build/asset-bundler.ts'
import { testApp } from '../../testing/app.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from '../assets.ts'
import { loadExtension, packedNames } from './packed.ts'

const folder = await mkdtemp(join(tmpdir(), 'aisle-packed-'))
afterAll(() => rm(folder, { recursive: true }))
const url = pathToFileURL(`${folder}/`)

const CONTENT = Buffer.from('PK\u0003\u0004 packed')
for (const name of packedNames('1.2.3')) await writeFile(join(folder, name), CONTENT)
await writeFile(join(folder, 'aisle-1.2.3-sources.zip'), 'not for visitors')

const BROWSER = { Accept: 'text/html,*/*;q=0.8' }
const assets = prepareAssets({
  ...ASSETS_WITHOUT_CONTENT,
  ...Object.fromEntries(await buildAssets()),
})
const packed = await testApp({ assets, extension: await loadExtension(url) })
const without = await testApp({ assets })

test('the page offers a file for each browser, and the start page leads to it', async () => {
  const answer = await packed.app.request('/extension', { headers: BROWSER })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  const files = [...html.matchAll(/href="\/extension\/([^"]+\.zip)"/g)].map(([, file]) => file)
  expect(files).toEqual(['aisle-1.2.3-chrome.zip', 'aisle-1.2.3-firefox.zip'])
  expect(html).toContain('Version 1.2.3')
  const start = await packed.app.request('/', { headers: BROWSER })
  expect(await start.text()).toContain('href="/extension"')
})

test('a file is downloaded whole, once', async () => {
  const path = '/extension/aisle-1.2.3-firefox.zip'
  const answer = await packed.app.request(path)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-disposition': 'attachment; filename="aisle-1.2.3-firefox.zip"',
    'content-length': String(CONTENT.length),
    'content-type': 'application/zip',
    'x-content-type-options': 'nosniff',
  })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(CONTENT)

  const head = await packed.app.request(path, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(CONTENT.length))
  expect(await head.text()).toBe('')

  const headers = { 'If-None-Match': answer.headers.get('etag')! }
  expect((await packed.app.request(path, { headers })).status).toBe(304)
})

test.each(['aisle-1.2.3-sources.zip', 'aisle-1.2.2-chrome.zip', '..%2Fmain.js', 'nothing'])(
  '%s is not offered',
  async (file) => {
    const answer = await packed.app.request(`/extension/${file}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: { code: 'not_found', message: 'This version is not here. See /extension.' },
    })
  },
)

test('a service without it says so, to a person and to a program', async () => {
  expect(await loadExtension(new URL('nowhere/', url))).toEqual([])
  const page = await without.app.request('/extension', { headers: BROWSER })
  expect(page.status).toBe(404)
  expect(await page.text()).toContain('This service was built without the extension.')
  const json = await without.app.request('/extension')
  expect(json.status).toBe(404)
  expect(await json.json()).toMatchObject({
    error: { code: 'not_found', message: expect.stringContaining('npm run zip') },
  })
  const start = await without.app.request('/', { headers: BROWSER })
  expect(await start.text()).not.toContain('/extension')
})

test('a folder that cannot be read ends the start with what to do', async () => {
  const file = new URL('aisle-1.2.3-chrome.zip', url)
  await expect(loadExtension(file)).rejects.toThrow('cannot be read (ENOTDIR). Check')
})
