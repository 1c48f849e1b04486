import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig, type UserManifest } from 'wxt'
import packageJson from '../package.json' with { type: 'json' }

/** The same for every browser. No host permission: a click grants the page, CORS the server. */
const manifest: UserManifest = {
  name: 'Aisle',
  description: 'Shows how ready the open store is for AI agents, and what to fix first.',
  version: packageJson.version,
  permissions: ['activeTab', 'scripting', 'storage'],
  action: { default_title: 'Audit this page' },
  // Unspecified: the extension does not run in private windows: those must leave no trace, and
  // audits are stored (https://developer.chrome.com/docs/extensions/reference/manifest/incognito).
  incognito: 'not_allowed',
}

const firefox: UserManifest = {
  // Firefox's default has upgrade-insecure-requests, which would cut off an http server on this
  // computer
  // (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/content_security_policy).
  content_security_policy: { extension_pages: "script-src 'self'; object-src 'self'" },
  browser_specific_settings: {
    gecko: {
      id: 'aisle@aisle.example',
      strict_min_version: '140.0',
      data_collection_permissions: {
        required: ['none'],
        optional: ['browsingActivity', 'authenticationInfo'],
      },
    },
    gecko_android: { strict_min_version: '142.0' },
  },
}

// URL.parse, of the page reader, is the newest interface that the app needs
// (https://developer.mozilla.org/docs/Web/API/URL/parse_static).
const chromium: UserManifest = { minimum_chrome_version: '126' }

/** Only for the browser tests: no script can click the toolbar, which is what grants a page. */
const tests: UserManifest = { host_permissions: ['https://*.example/*'] }

/** What only the page of a gap says: see `GapWords`. */
const OF_PAGES = new Set(['meaning', 'why', 'language', 'before', 'after'])

interface PropertyNode {
  type: string
  key: { name?: string }
  value: { start: number; end: number }
}

/**
 * Leaves the texts of gap pages out of the build: the panel links to these pages. They are a tenth
 * of its bytes, and their examples look like scripts of other hosts to who reviews the extension.
 */
const withoutPageTexts: Plugin = {
  name: 'without-page-texts',
  transform: {
    filter: { id: /\/shared\/audit\/checks\/.+words\.ts$/ },
    handler(code) {
      let kept = ''
      let end = 0
      const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return
        const { type, key, value } = node as PropertyNode
        if (type === 'Property' && OF_PAGES.has(key.name ?? '')) {
          kept += `${code.slice(end, value.start)}''`
          end = value.end
        } else for (const child of Object.values(node)) visit(child)
      }
      visit(this.parse(code, { lang: 'ts' }))
      return kept + code.slice(end)
    },
  },
}

export default defineConfig({
  vite: () => ({ plugins: [withoutPageTexts], worker: { plugins: () => [withoutPageTexts] } }),
  imports: false,
  manifestVersion: 3,
  manifest: ({ browser, mode }) => ({
    ...manifest,
    ...(browser === 'firefox' ? firefox : chromium),
    ...(mode === 'e2e' && tests),
  }),
  zip: {
    name: 'aisle',
    artifactTemplate: '{{name}}-{{version}}-{{browser}}.zip',
    sourcesTemplate: '{{name}}-{{version}}-sources.zip',
    // What a reviewer needs to build the same: the rules are outside of this folder.
    sourcesRoot: fileURLToPath(new URL('..', import.meta.url)),
    includeSources: ['extension/**', 'shared/**', '*.json', 'CONTRIBUTING.md'],
    excludeSources: [
      '**/*.test.*',
      '**/*.e2e.ts',
      '**/*.bench.ts',
      '**/testing/**',
      'extension/.*/**',
      // For the MCP registry.
      'server.json',
    ],
  },
})
