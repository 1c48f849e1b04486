import * as z from 'zod'
import type { Fetcher } from '../../../audit/probe/fetch/fetch.ts'
import type { FetchRequest } from '../../../audit/probe/fetch/request.ts'
import { RefusedCall } from '../psp.ts'

/** One charge is at most four requests: it ends well before a sweeper asks for it. */
const CALL_MS = 8000

const MIB = 1024 * 1024

const NotesObject = z.record(z.string(), z.unknown())
export type Notes = z.infer<typeof NotesObject>

/** Razorpay writes an empty object as an empty list. */
const NotesOf = z.union([NotesObject, z.array(z.unknown()).transform((): Notes => ({}))])

/** The part of Razorpay's payment that is read. */
const RazorpayPayment = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  notes: NotesOf,
  error_description: z.string().nullish(),
  /** The order or invoice of Razorpay that it was made for. */
  order_id: z.string().nullish(),
  invoice_id: z.string().nullish(),
})
export type RazorpayPayment = z.infer<typeof RazorpayPayment>

/** The part of Razorpay's refund that is read. */
const RazorpayRefund = z.object({
  id: z.string(),
  status: z.string(),
  notes: NotesOf,
})
export type RazorpayRefund = z.infer<typeof RazorpayRefund>

const Refunds = z.object({ items: z.array(RazorpayRefund) })

const Payments = z.object({ items: z.array(RazorpayPayment) })

/**
 * Requests of one charge. Each rejects without an answer, and for one that cannot be understood.
 */
export interface RazorpayCall {
  /** Null: there is no such payment. */
  payment(id: string): Promise<RazorpayPayment | null>
  note(id: string, notes: Notes): Promise<void>
  /** Null: the payment's state does not allow a capture. */
  capture(id: string, amount: number, currency: string): Promise<RazorpayPayment | null>
  /** Those created from `from` to `to` (Unix seconds), at most 100 after the first `skip`. */
  list(from: number, to: number | null, skip: number): Promise<RazorpayPayment[]>
  /** Null: the payment has less than that left. The same key makes one refund. */
  refund(id: string, amount: number, key: string): Promise<RazorpayRefund | null>
  /** The refunds of a payment, at most 100 after the first `skip`. */
  refunds(id: string, skip: number): Promise<RazorpayRefund[]>
}

interface RazorpayAccess {
  keyId: string
  keySecret: string
  baseUrl: string
  fetcher: Pick<Fetcher, 'open'>
}

/** Runs requests under one deadline. Source: Razorpay's API reference, Payments. */
export async function callRazorpay<T>(
  { keyId, keySecret, baseUrl, fetcher }: RazorpayAccess,
  work: (call: RazorpayCall) => Promise<T>,
): Promise<T> {
  const session = fetcher.open({ deadlineMs: CALL_MS })
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`

  /** Null for Razorpay's 400, its answer for a wrong id or state. */
  const ask = async <S extends z.ZodType>(
    schema: S,
    path: string,
    request: Pick<FetchRequest, 'method' | 'json' | 'headers'> = {},
  ): Promise<z.infer<S> | null> => {
    const fetched = await session.request({
      ...request,
      url: `${baseUrl}/v1/payments${path}`,
      headers: { ...request.headers, authorization },
      maxBytes: MIB,
      redirect: 'manual',
    })
    if (fetched.kind === 'answer' && fetched.status === 400) return null
    if (fetched.kind === 'answer' && (fetched.status === 401 || fetched.status === 403)) {
      throw new RefusedCall(
        `Razorpay refuses the key (status ${fetched.status}). Check RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET.`,
      )
    }
    if (fetched.kind !== 'answer' || fetched.status !== 200) {
      const reason = fetched.kind === 'answer' ? `status ${fetched.status}` : 'no answer'
      throw new Error(
        `Razorpay failed: ${reason}. Check the keys and its status page, then try again.`,
      )
    }
    return schema.parse(JSON.parse(fetched.body))
  }

  const sure = <Value>(value: Value | null): Value => {
    if (value === null) throw new Error('Razorpay rejected a request. Check its dashboard.')
    return value
  }

  try {
    return await work({
      payment: (id) => ask(RazorpayPayment, `/${id}`),
      note: async (id, notes) => {
        sure(await ask(RazorpayPayment, `/${id}`, { method: 'PATCH', json: { notes } }))
      },
      capture: (id, amount, currency) =>
        ask(RazorpayPayment, `/${id}/capture`, { method: 'POST', json: { amount, currency } }),
      list: async (from, to, skip) => {
        const until = to === null ? '' : `&to=${to}`
        return sure(await ask(Payments, `?from=${from}${until}&count=100&skip=${skip}`)).items
      },
      refund: (id, amount, key) =>
        ask(RazorpayRefund, `/${id}/refund`, {
          method: 'POST',
          headers: { 'x-refund-idempotency': key },
          json: { amount, speed: 'normal', notes: { idempotency_key: key } },
        }),
      refunds: async (id, skip) =>
        sure(await ask(Refunds, `/${id}/refunds?count=100&skip=${skip}`)).items,
    })
  } finally {
    await session.close()
  }
}
