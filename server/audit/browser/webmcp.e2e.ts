import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import { runRules } from '../../../shared/audit/rule.ts'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { beginPages } from '../../../shared/walk/pages/pages-kept.ts'
import { pagesSeenOf } from '../../../shared/walk/pages/pages-seen.ts'
import type { CheckedTools } from '../../../shared/walk/webmcp/check-tools.ts'
import { keptTools } from '../../../shared/walk/webmcp/tools-kept.ts'
import { createStore } from '../../store/app.ts'
import { TOOL_FAULTS } from '../../store/faults/webmcp.ts'
import { testDeps } from '../../store/testing/store.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { parseTestHosts } from '../probe/fetch/test-hosts.ts'
import { type Browsers, createBrowsers } from './browser.ts'

const TOOL_RULES = rulesOf(['pages']).filter(({ gap }) => gap?.startsWith('pages_tools_'))

/** The gaps of an audit that judges a walk with these tools. */
function gapsOf(checked: CheckedTools | null) {
  const kept = { ...beginPages(''), ended: 'reached' as const, tools: keptTools(checked) }
  const outcomes = runRules(TOOL_RULES, { pagesWalk: pagesSeenOf(kept) })
  const kinds = new Set(outcomes.map(({ verdict }) => verdict.kind))
  expect([...kinds]).not.toContain('skip')
  if (checked === null) expect([...kinds]).toEqual(['not_applicable'])
  return outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : []))
}

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
    const seen = await browsers.run('tools', { url: `https://${domain}${path}`, own: [domain] })
    if ('unseen' in seen) throw new Error(seen.why)
    return seen.done
  }

  test('those of a store without a fault tell the truth', async () => {
    const checked = await toolsAt('ucp.example')
    expect(checked?.findings).toEqual([])
    expect(gapsOf(checked)).toEqual([])
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
    expect(gapsOf(null)).toEqual([])
    expect(await toolsAt('ucp.example', '/basket')).toBeNull()
  })

  test.each(TOOL_FAULTS)('$fault', async ({ fault, finding, gap }) => {
    const checked = await toolsAt(`${fault}.example`)
    expect([...new Set(checked?.findings.map(({ id }) => id))]).toEqual([finding])
    expect(gapsOf(checked)).toEqual([gap])
  })

  test('pages that lead to another site are not called there', async () => {
    const seen = await browsers.run('tools', {
      url: 'https://ucp.example/products/ao-1001',
      own: ['shop.example'],
    })
    expect(seen).toEqual({ unseen: 'failed', why: expect.stringContaining('It leads to') })
  })
})
