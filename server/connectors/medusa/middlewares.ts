import {
  defineMiddlewares,
  type MedusaRequest,
  type MedusaResponse,
} from '@medusajs/framework/http'
import { reasonOf } from './failed-checkout.ts'
import { aisleOf, noteFailure } from './orders.ts'

/** Medusa has no event for a checkout that fails, so its answer is read. */
function watchCompletion(req: MedusaRequest, res: MedusaResponse, next: () => void): void {
  const answer = res.json.bind(res)
  // Where errors are answered, the request has no parameters any more.
  const cart = req.params.id
  res.json = (body) => {
    const reason = reasonOf(body)
    if (reason !== null && cart !== undefined) {
      const aisle = aisleOf(req.scope)
      noteFailure(req.scope, cart, reason).then(
        () => aisle.send(),
        // The buyer has an answer already; an order later counts all the same.
        () => undefined,
      )
    }
    return answer(body)
  }
  next()
}

export default defineMiddlewares({
  routes: [
    {
      matcher: '/store/carts/:id/complete',
      method: ['POST'],
      middlewares: [watchCompletion],
    },
  ],
})
