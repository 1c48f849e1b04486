/** What becomes of a pending payment or refund. */
export type PaymentOutcome = 'succeeded' | 'failed'

/**
 * An answer of the API; `hangUp` drops the connection in its place, `always` for each repeat too.
 */
export interface StripeResponse {
  status: number
  body: object
  delayMs?: number
  hangUp?: boolean | 'always'
}

/** The `metadata` of a request's form. */
export function metadataOf(form: URLSearchParams): Record<string, string> {
  const pairs = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w{1,40})\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(pairs)
}

/** An error of a request that cannot be done. */
export const invalid = (code: string, param: string, message: string): StripeResponse => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, param, message } },
})

/** Payments are in memory alone: a store that was restarted may ask for one from before. */
export const noSuchIntent = (param: string): StripeResponse =>
  invalid(
    'resource_missing',
    param,
    'No such payment_intent. The test PSP forgets its payments when the store stops.',
  )
