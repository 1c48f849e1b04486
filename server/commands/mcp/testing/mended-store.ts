import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ProposedFile } from '../../../../shared/audit/proposals/proposal.ts'

/** Where a written file is served: what an assistant tells the merchant's web server. */
type Placed = Pick<ProposedFile, 'path' | 'placement' | 'url' | 'content_type' | 'replaces'>

const INDEX = 'placed.json'

/** Writes what a tool proposes below a folder, like an assistant in a merchant's project. */
export async function writeFiles(folder: string, files: readonly ProposedFile[]): Promise<void> {
  const placed = await placedIn(folder)
  for (const { content, ...place } of files) {
    const { path, placement, url } = place
    const file = join(folder, path)
    if (!file.startsWith(`${folder}/`)) throw new Error(`${path} leaves the folder.`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    placed.set(`${placement} ${url}`, place)
  }
  await writeFile(join(folder, INDEX), JSON.stringify([...placed.values()]))
}

async function placedIn(folder: string): Promise<Map<string, Placed>> {
  const text = await readFile(join(folder, INDEX), 'utf8').catch(() => '[]')
  const list: Placed[] = JSON.parse(text)
  return new Map(list.map((each) => [`${each.placement} ${each.url}`, each]))
}

/** A page without the blocks of JSON-LD that files say they replace. */
function withoutBlocks(html: string, files: readonly Placed[]): string {
  const named = files.flatMap(({ replaces }) => [
    ...(replaces ?? '').matchAll(/JSON-LD block (\d+)/g),
  ])
  const gone = new Set(named.map(([, number]) => Number(number)))
  let number = 0
  return html.replace(/<script[^>]*application\/ld\+json[^>]*>.*?<\/script>/gs, (found) => {
    number += 1
    return gone.has(number) ? '' : found
  })
}

/**
 * A store behind a layer of files: those in the folder of a host replace the store's own answers,
 * and parts of a page go into its head, like in a template.
 */
export const mendedStore = (
  store: { fetch: (request: Request, env: object) => Response | Promise<Response> },
  folderOf: (host: string) => string | undefined,
) => ({
  async fetch(request: Request, env: object): Promise<Response> {
    const { pathname } = new URL(request.url)
    const host = request.headers.get('host') ?? ''
    const folder = folderOf(host)
    if (folder === undefined || request.method !== 'GET') return store.fetch(request, env)
    const placed = [...(await placedIn(folder)).values()].filter(
      ({ url }) => new URL(url).pathname === pathname,
    )
    const file = placed.find(({ placement }) => placement === 'file')
    if (file !== undefined) {
      return new Response(await readFile(join(folder, file.path)), {
        headers: {
          'content-type': file.content_type ?? 'application/octet-stream',
          'cache-control': 'public, max-age=300',
        },
      })
    }
    const response = await store.fetch(request, env)
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
    // What every page shares is proposed for the home page.
    const heads = placed.filter(({ placement }) => placement === 'head')
    if (!isPage || heads.length === 0) return response
    const parts = await Promise.all(heads.map(({ path }) => readFile(join(folder, path), 'utf8')))
    const html = withoutBlocks(await response.text(), heads).replace(
      '</head>',
      () => `${parts.join('')}</head>`,
    )
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(html, { status: response.status, headers })
  },
})
