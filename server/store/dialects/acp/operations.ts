import type * as z from 'zod'
import type { AcpAnswer } from './answers.ts'
import {
  type AcpCall,
  type AcpContext,
  cancelAcpSession,
  createAcpSession,
  getAcpSession,
  updateAcpSession,
} from './checkout.ts'
import { completeAcpSession } from './complete.ts'
import {
  AcpCancelRequest,
  AcpCompleteRequest,
  AcpCreateRequest,
  AcpUpdateRequest,
} from './requests.ts'

/** One operation of official ACP, over REST or MCP. */
export interface AcpOperation {
  description: string
  /** Null: it has no body. */
  payload: z.ZodType | null
  isPayloadOptional?: true
  /** It needs an existing session. */
  hasId: boolean
  run: (context: AcpContext, call: AcpCall) => Promise<AcpAnswer>
}

/** The operations of official ACP, by the names of their MCP tools. */
export const ACP_OPERATIONS = {
  create_checkout_session: {
    description:
      'Open a checkout session for items, given by the ids of the catalog. Nothing is charged or reserved yet.',
    payload: AcpCreateRequest,
    hasId: false,
    run: createAcpSession,
  },
  get_checkout_session: {
    description: 'Get the current checkout session.',
    payload: null,
    hasId: true,
    run: getAcpSession,
  },
  update_checkout_session: {
    description:
      'Change the items, the buyer, the address or the shipping option of a checkout session.',
    payload: AcpUpdateRequest,
    hasId: true,
    run: updateAcpSession,
  },
  complete_checkout_session: {
    description:
      'Pay and place the order, with a token of the payment provider. Call it only after the user has seen the items, the shipping and the total, and has confirmed them.',
    payload: AcpCompleteRequest,
    hasId: true,
    run: completeAcpSession,
  },
  cancel_checkout_session: {
    description: 'Cancel a checkout session.',
    payload: AcpCancelRequest,
    isPayloadOptional: true,
    hasId: true,
    run: cancelAcpSession,
  },
} as const satisfies Record<string, AcpOperation>

export type AcpOperationName = keyof typeof ACP_OPERATIONS
