import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { createStore } from '../../store/app.ts'
import { TOOL_FAULTS } from '../../store/faults/webmcp.ts'
import { testDeps } from '../../store/testing/store.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { parseTestHosts } from '../probe/fetch/test-hosts.ts'
import { type Browsers, createBrowsers } from './browser.ts'

describeInBrowser('the tools that a page offers to agents', () => {
  let browsers: Browsers
  let close: () => Promise<unknown>

  beforeAll(async () => {
    const { deps } = await testDeps()
    const store = createStore({ deps, faults: [] })
    const server = await onLoopback({ fetch: store.fetch })
    const testHosts = parseTestHosts(`*.example=${server.origin}`, 'test')
    browsers = createBrowsers({ path: inject('browserPath'), userAgent: 'Aisle (test)', testHosts })
    close = () => server.close()
  })
  afterAll(async () => {
    await browsers?.close()
    await close?.()
  })

  async function toolsAt(domain: string, path = '/products/ao-1001') {
    const seen = await browsers.run('tools', { url: `https://${domain}${path}` })
    if ('unseen' in seen) throw new Error(seen.why)
    return seen.done
  }

  test('those of a store without a fault tell the truth', async () => {
    const checked = await toolsAt('ucp.example')
    expect(checked?.findings).toEqual([])
    expect(checked?.calls.map(({ tool, input }) => [tool, JSON.parse(input)])).toEqual([
      ['search_catalog', { catalog: { query: 'Skarn Rain Jacket' } }],
      ['get_product', { catalog: { id: 'ao-1001' } }],
    ])
    for (const { answer } of checked?.calls ?? []) expect(answer).toContain('Skarn Rain Jacket')
    expect(checked?.left).toEqual([
      { tool: 'add_to_basket', why: 'It does not say that it only reads.' },
    ])
  })

  test('a page without tools is asked for nothing', async () => {
    expect(await toolsAt('shop.example')).toBeNull()
    expect(await toolsAt('ucp.example', '/basket')).toBeNull()
  })

  test.each(TOOL_FAULTS)('$fault', async ({ fault }) => {
    const checked = await toolsAt(`${fault}.example`)
    const id = fault.replace('ucp-webmcp-', '').replaceAll('-', '_')
    expect([...new Set(checked?.findings.map((each) => each.id))]).toEqual([id])
  })
})
