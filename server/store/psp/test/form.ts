/** The result of a pending payment or refund. */
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

/** The error for a request that cannot be performed. */
export const invalid = (code: string, param: string, message: string): StripeResponse => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, param, message } },
})

/** Payments are only in memory: a restarted store may ask for one from before. */
export const noSuchIntent = (param: string): StripeResponse =>
  invalid(
    'resource_missing',
    param,
    'No such payment_intent. The test PSP forgets its payments when the store stops.',
  )
