import type { Answering, VendureConfig } from '@vendure/core'
import { answered, answerLookup, answerProduct, answerSearch, type Shelf } from '../ucp/catalog.ts'
import { catalogProfile, type ListedAnswer } from '../ucp/profile.ts'
import { type PublishedCatalog, vendureShelf } from './shelf.ts'

type Middleware = VendureConfig['apiOptions']['middleware']

/** The routes for agents; none, unless the shop says where it is. */
export function catalogMiddleware(
  options: Partial<PublishedCatalog> | undefined,
  config: VendureConfig & { entityOptions?: { moneyStrategy?: { precision?: number } } },
  warn: (message: string) => void,
): Middleware {
  if (options === undefined) return []
  const { url, productUrl } = options
  if (!url || !productUrl) {
    warn('catalog needs url and productUrl. Nothing is published for agents.')
    return []
  }
  const base = url.replace(/\/+$/, '')
  const precision = config.entityOptions?.moneyStrategy?.precision ?? 2
  const shelf = vendureShelf({ ...options, url: base, productUrl }, precision)
  const profile = { status: 200, body: catalogProfile(`${base}/aisle/ucp`) }
  const route = (
    name: string,
    answer: (shelf: Shelf, request: unknown) => Promise<ListedAnswer>,
  ) => ({
    route: `aisle/ucp/catalog/${name}`,
    handler: (req: { body: unknown }, res: Answering) => {
      void answered(() => answer(shelf, req.body)).then((said) => send(res, said))
    },
  })
  return [
    {
      route: '.well-known/ucp',
      handler: (_, res) => {
        res.setHeader('Access-Control-Allow-Origin', '*')
        res.setHeader('Cache-Control', 'public, max-age=3600')
        send(res, profile)
      },
    },
    route('search', answerSearch),
    route('lookup', answerLookup),
    route('product', answerProduct),
  ]
}

const send = (res: Answering, { status, body }: ListedAnswer) => res.status(status).json(body)
