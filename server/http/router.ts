import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono's router for any paths, which looks up each part of a path for each request, and what it
 * found for the paths without parameters: it is the same each time, and the busy ones are among
 * them. Hono's quicker router does not take routes such as ours, where a name and a parameter stand
 * in one place (https://hono.dev/docs/concepts/routers). There are as many to remember as routes,
 * by the methods that Node's parser knows.
 */
export class RememberingRouter<Handler> implements Router<Handler> {
  name = 'RememberingRouter'
  readonly #router = new TrieRouter<Handler>()
  readonly #fixedPaths = new Set<string>()
  readonly #found = new Map<string, Result<Handler>>()

  add(method: string, path: string, handler: Handler): void {
    this.#found.clear()
    if (!/[:*]/.test(path)) this.#fixedPaths.add(path)
    this.#router.add(method, path, handler)
  }

  match(method: string, path: string): Result<Handler> {
    if (!this.#fixedPaths.has(path)) return this.#router.match(method, path)
    const name = `${method} ${path}`
    const known = this.#found.get(name)
    if (known !== undefined) return known
    const found = this.#router.match(method, path)
    this.#found.set(name, found)
    return found
  }
}
