import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http'
import { catalogProfile, NO_CATALOG } from '../ucp/profile.ts'
import { aisleOf } from './orders.ts'

function answerProfile(req: MedusaRequest, res: MedusaResponse): void {
  const { catalog } = aisleOf(req.scope)
  const { status, body } =
    catalog === null
      ? NO_CATALOG
      : { status: 200, body: catalogProfile(`${catalog.url}/aisle/ucp`) }
  res.setHeader('Access-Control-Allow-Origin', '*')
  if (status === 200) res.setHeader('Cache-Control', 'public, max-age=3600')
  res.status(status).json(body)
}

export { answerProfile as GET }
