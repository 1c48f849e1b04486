/**
 * How an agent can pay here, for the payment handlers of the official dialects.
 * - `test`: with the tokens of our own test PSP
 * - `stripe`: with payment methods and shared payment tokens of Stripe
 * - `none`: the PSP charges no token that an agent could have (Razorpay); the buyer pays on our
 * page
 */
export interface Acceptance {
  kind: 'test' | 'stripe' | 'none'
  /**
   * Stripe's publishable key, which makes payment methods in a browser; null: none is configured.
   */
  publishableKey: string | null
  /** Whether the PSP charges real money, by the secret key. */
  isLive: boolean
  /** Google Pay as Google documents it for UCP; null: it is not configured. */
  googlePay: GooglePay | null
}

/** Agents can only pay with the tokens of the test PSP. */
export const TEST_ACCEPTANCE: Acceptance = {
  kind: 'test',
  publishableKey: null,
  isLive: false,
  googlePay: null,
}

/** A merchant's account at Google Pay, with the gateway that decrypts its tokens. */
export interface GooglePay {
  environment: 'TEST' | 'PRODUCTION'
  merchantId: string
  merchantName: string
  /** The gateway's name and our account there, as its documentation for Google Pay says. */
  gateway: string
  gatewayMerchantId: string
}
