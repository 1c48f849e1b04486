import * as z from 'zod'
import { ACP, type AcpVersion } from '../../../../../shared/protocols/acp/versions.ts'
import type { Cart, CheckoutSession, Order } from '../../../db/tables.ts'
import { AcpBuyer } from '../requests.ts'

/** What a session or an order of ACP stores in addition to the checkout's data, in ACP's words. */
const AcpState = z.object({
  buyer: AcpBuyer.optional(),
  details: z
    .object({
      name: z.string().optional(),
      phone_number: z.string().optional(),
      email: z.string().optional(),
      company: z.string().optional(),
    })
    .optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  order_notes: z.string().optional(),
  /** The agent's abilities that the store may ask for. */
  interventions: z.array(z.string()).optional(),
  /** The bank wants 3DS: by the agent, or by a person at the session's page. */
  wants: z.object({ by: z.enum(['agent', 'buyer']), directory_server: z.string() }).optional(),
})
export type AcpState = z.infer<typeof AcpState>

/** Only this dialect writes it, so it is always readable; for another protocol it is empty. */
export const acpState = ({
  official,
}: Pick<CheckoutSession | Order | Cart, 'official'>): AcpState =>
  AcpState.safeParse(official?.shown).data ?? {}

/** The stored version of a session or an order, always one of those that the store answers in. */
export const keptVersion = (text: string | undefined): AcpVersion =>
  ACP.isServed(text) ? text : ACP.newest
