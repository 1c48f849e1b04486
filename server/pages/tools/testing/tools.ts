import type { PageSeen } from '../../../../shared/audit/evidence.ts'
import { readPage } from '../../../../shared/markup/page.ts'
import { answerFrom } from '../../../../shared/web/testing/answer-from.ts'
import { validateDocument } from '../../../audit/validate-manifest.ts'
import { testApp } from '../../../testing/app.ts'

/** A page of a store, as it is read. */
export const seen = (html: string, url: string): PageSeen => ({
  fetched: answerFrom(url, { body: html }),
  page: readPage(html, url),
})

export const BROWSER = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' }

/** The tools. `store.page` is the HTML of every store; `asked` are the addresses that were read. */
export async function testTools() {
  const asked: string[] = []
  const store = { page: '' }
  const { app } = await testApp({
    readPage: async (url) => {
      asked.push(url)
      return seen(store.page, url)
    },
    validateManifest: async (url) => {
      asked.push(url)
      return validateDocument({ version: '1.0', domain: '<img src=x onerror=alert(1)>' })
    },
  })
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    app.request(path, {
      method: 'POST',
      headers: { ...BROWSER, ...headers },
      body: new URLSearchParams(fields),
    })
  return { app, asked, store, post }
}

export const read = async (answer: Response | Promise<Response>): Promise<string> =>
  unescaped(await (await answer).text())

export const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
/** The content of a code block of a page. */
export const codeOf = (html: string, label: string): string =>
  html.split(`<span>${label}</span>`)[1]?.split('<code>')[1]?.split('</code>')[0] ?? ''

export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; alert(1); '",
  '</script><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '\u0000\u202E\uFFFF',
  '__proto__',
  'x'.repeat(20_000),
]
