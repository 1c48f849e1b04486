import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import { answered, type Shelf } from '../ucp/catalog.ts'
import { type ListedAnswer, NO_CATALOG } from '../ucp/profile.ts'
import { aisleOf } from './orders.ts'
import { medusaShelf } from './shelf.ts'

/** A route of the catalog, in a shop that publishes one. */
export const catalogRoute =
  (answer: (shelf: Shelf, request: unknown) => Promise<ListedAnswer>) =>
  async (req: MedusaRequest, res: MedusaResponse): Promise<void> => {
    const { catalog } = aisleOf(req.scope)
    const { status, body } =
      catalog === null
        ? NO_CATALOG
        : await answered(() => answer(medusaShelf(catalog, req.scope), req.body))
    res.status(status).json(body)
  }
