import * as z from 'zod'
import { ACP_PATHS, type AcpDiscovery } from '../../shared/acp.ts'
import { field } from '../../shared/json.ts'
import { CheckoutItem, UCP_PATHS } from '../../shared/ucp.ts'
import { addressFaults } from './address-faults.ts'
import { fillBasket } from './basket.ts'
import { acpRefusal } from './refusals.ts'
import { cacheable, json, type Reply } from './reply.ts'
import { say, type Visit } from './visit.ts'

const VERSION = '2026-04-17'

/** Longer than any key or token that a client has reason to send. */
const Key = z.string().min(1).max(500)

const CreateRequest = z.object({ items: z.array(CheckoutItem).min(1), idempotency_key: Key })
const UpdateRequest = z.object({ shipping_option_id: Key.optional() })
const CompleteRequest = z.object({
  payment_method: z.object({ type: Key, token: Key }),
  shipping_option_id: Key.optional(),
  idempotency_key: Key,
})

/** What ACP agents read first, in official ACP's form. */
export function discoveryReply(visit: Visit): Reply {
  const document: AcpDiscovery = {
    protocol: { name: 'acp', version: VERSION, supported_versions: [VERSION] },
    api_base_url: `${visit.origin}/acp`,
    transports: ['rest'],
    capabilities: {
      services: ['checkout'],
      supported_currencies: ['usd'],
      supported_locales: ['en-US'],
    },
  }
  return json(say(visit, 'acpDiscovery', document), cacheable(300))
}

/** `POST /acp/checkout/create`. */
export function createReply({ origin }: Visit, body: unknown): Reply {
  const request = CreateRequest.safeParse(body)
  if (!request.success) return invalid(request.error)
  const faults = addressFaults(field(body, 'shipping_address'))
  if (faults.length > 0) {
    return acpRefusal(422, 'invalid_address', `We cannot ship there. Check: ${faults.join(', ')}.`)
  }
  const lines = fillBasket(request.data.items)
  if ('code' in lines) {
    return lines.code === 'out_of_stock'
      ? acpRefusal(409, lines.code, lines.message)
      : acpRefusal(422, 'validation_error', lines.message)
  }
  return acpRefusal(
    503,
    'not_available',
    `This store opens no ACP sessions. Create the cart at ${origin}${UCP_PATHS.checkout}.`,
  )
}

/** `PATCH /acp/checkout/:id/update` and `POST /acp/checkout/:id/complete`. */
export function sessionReply(action: 'update' | 'complete', body: unknown): Reply {
  const request = (action === 'update' ? UpdateRequest : CompleteRequest).safeParse(body)
  if (!request.success) return invalid(request.error)
  const message = `There is no such session. Open one with POST ${ACP_PATHS.create}.`
  return acpRefusal(404, 'session_not_found', message)
}

function invalid({ issues }: z.ZodError): Reply {
  const said = issues.slice(0, 4).map(({ path, message }) => {
    return `${path.join('.') || 'the body'}: ${message}`
  })
  return acpRefusal(422, 'validation_error', `Mend and send again: ${said.join('; ')}.`)
}
