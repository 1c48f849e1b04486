/** The shop's card merchant data in 3DS (EMV 3DS, acquirer fields). */
export interface Acquirer {
  /** At most 11 digits. */
  bin: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** At most 35 characters. */
  merchantId: string
}

/** The merchant's agreement with its agents outside the protocol. */
export interface AcpSettings {
  /** The keys of agents; null: any bearer token is an agent. */
  keys: readonly string[] | null
  /**
   * The secrets for signatures of requests; any of them is valid. None: signatures are not
   * required.
   */
  signingKeys: readonly string[]
  /** The shop's id at its PSP, which tokens are bound to; null: its host. */
  merchantId: string | null
  /** Without it no agent can authenticate a buyer: a payment that needs 3DS is paid by hand. */
  acquirer: Acquirer | null
}

export const OPEN_ACP: AcpSettings = {
  keys: null,
  signingKeys: [],
  merchantId: null,
  acquirer: null,
}

/** The settings of ACP with the test PSP: its tokens are bound to this merchant. */
export const TEST_ACP = {
  merchantId: 'merchant_test',
  acquirer: { bin: '400000', country: 'US', merchantId: 'merchant_test' },
} as const satisfies Pick<AcpSettings, 'merchantId' | 'acquirer'>
