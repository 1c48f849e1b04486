import type * as z from 'zod'
import { ACP, type AcpVersion } from '../../../../shared/protocols/acp/versions.ts'
import type { AcpAnswer } from './answers.ts'
import type { AcpCall, AcpContext } from './caller.ts'
import { cancelAcpCart, createAcpCart, getAcpCart, updateAcpCart } from './carts.ts'
import { cancelAcpSession, createAcpSession, getAcpSession, updateAcpSession } from './checkout.ts'
import { completeAcpSession } from './complete.ts'
import {
  AcpCancelRequest,
  AcpCompleteRequest,
  AcpCreateRequest,
  AcpUpdateRequest,
} from './requests.ts'

/** One operation of official ACP, over REST or MCP. */
export interface AcpOperation {
  /** Without it the operation is only there over REST. */
  tool?: {
    description: string
    /** Left out: it has no body. */
    payload?: z.ZodType
    isOptional?: true
  }
  /** It needs an existing session or cart. */
  hasId: boolean
  /** Over REST it demands an idempotency key. */
  needsKey?: true
  /** The versions that have it; all unless given. */
  versions?: readonly AcpVersion[]
  run: (context: AcpContext, call: AcpCall) => Promise<AcpAnswer>
}

/** The versions that the store answers in and that have carts and MCP. */
export const WITH_CARTS = ACP.served.filter((version) => ACP.of(version).hasDiscovery)

const CART = { hasId: true, versions: WITH_CARTS } as const

/** The operations of official ACP, by the names of their MCP tools. */
export const ACP_OPERATIONS = {
  create_checkout_session: {
    tool: {
      description:
        'Open a checkout session for items, given by the ids of the catalog. Nothing is charged or reserved yet.',
      payload: AcpCreateRequest,
    },
    hasId: false,
    needsKey: true,
    run: createAcpSession,
  },
  get_checkout_session: {
    tool: { description: 'Get the current checkout session.' },
    hasId: true,
    run: getAcpSession,
  },
  update_checkout_session: {
    tool: {
      description:
        'Change the items, the buyer, the address or the shipping option of a checkout session.',
      payload: AcpUpdateRequest,
    },
    hasId: true,
    needsKey: true,
    run: updateAcpSession,
  },
  complete_checkout_session: {
    tool: {
      description:
        'Pay and place the order, with a token of the payment provider. Call it only after the user has seen the items, the shipping and the total, and has confirmed them.',
      payload: AcpCompleteRequest,
    },
    hasId: true,
    needsKey: true,
    run: completeAcpSession,
  },
  cancel_checkout_session: {
    tool: {
      description: 'Cancel a checkout session.',
      payload: AcpCancelRequest,
      isOptional: true,
    },
    hasId: true,
    needsKey: true,
    run: cancelAcpSession,
  },
  create_cart: { ...CART, hasId: false, needsKey: true, run: createAcpCart },
  get_cart: { ...CART, run: getAcpCart },
  // Unspecified: the cart's own document demands a key for a PUT as well, but its text only for a
  // POST.
  update_cart: { ...CART, run: updateAcpCart },
  cancel_cart: { ...CART, needsKey: true, run: cancelAcpCart },
} as const satisfies Record<string, AcpOperation>

export type AcpOperationName = keyof typeof ACP_OPERATIONS
