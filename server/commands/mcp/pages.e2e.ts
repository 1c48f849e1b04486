import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'
import { TRUSTING } from '../../audit/walk/testing/walked-store.ts'
import { WALK_TOOL } from '../../mcp/tools/walk.ts'
import { createStore } from '../../store/app.ts'
import { testCardEntry } from '../../store/buyer/card-entry.ts'
import { testDeps } from '../../store/testing/store.ts'
import { onLoopback } from '../../testing/on-loopback.ts'
import { localBackend } from './local-backend.ts'

describeInBrowser('the tools of this machine, with a browser', () => {
  let backend: ReturnType<typeof localBackend>
  let close: () => Promise<unknown>

  beforeAll(async () => {
    const { deps } = await testDeps({ now: () => new Date() })
    const store = createStore({ deps, faults: [], card: testCardEntry, ...TRUSTING })
    const server = await onLoopback({ fetch: store.fetch })
    const dataDir = await mkdtemp(join(scratchFolder(), 'mcp-pages-'))
    const testHosts = parseTestHosts(`*.example=${server.origin}`, 'test')
    const at = { baseUrl: 'http://127.0.0.1', publicUrl: null, dataDir, testHosts }
    backend = localBackend({ ...at, browser: inject('browserPath') ?? 'none' }, () => new Date())
    close = async () => {
      await server.close()
      await rm(dataDir, { recursive: true })
    }
  })
  afterAll(async () => {
    await backend?.close()
    await close?.()
  })

  const job = { signal: new AbortController().signal, progress: () => {} }

  test('a walk goes through pages, calls their tools, and an audit judges both', async () => {
    const domain = 'ucp-webmcp-price-differs.example'
    const { answer } = await WALK_TOOL.call(
      {
        ...{ domain, open_sessions: true, intents: ['cheapest_variant'], dialects: ['ucp_rest'] },
        ...{ pages: true, product_url: `https://${domain}/products/ao-1001` },
      },
      backend,
      job,
    )
    expect(answer).toMatchObject({
      failures: [],
      through_pages: expect.arrayContaining([
        'An agent with a browser comes to the last step before paying.',
      ]),
      tool_findings: [
        { tool: 'search_catalog', finding: 'The tool states another price than the page' },
        { tool: 'get_product', finding: 'The tool states another price than the page' },
      ],
    })
    const { result } = await backend.audit({ domain, checks: ['pages'] }, job)
    expect(result.gaps.map(({ id }) => id)).toEqual(['pages_tools_differ'])
  })
})
