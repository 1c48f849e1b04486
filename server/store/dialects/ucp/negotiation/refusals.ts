/** Why a platform is refused: HTTP status, and JSON-RPC code over MCP (UCP overview, Errors). */
const REFUSALS = {
  invalid_profile_url: { status: 400, rpcCode: -32001 },
  profile_unreachable: { status: 424, rpcCode: -32001 },
  profile_malformed: { status: 422, rpcCode: -32001 },
  version_unsupported: { status: 422, rpcCode: -32001 },
  temporarily_unavailable: { status: 503, rpcCode: -32000 },
} as const

export interface NegotiationRefusal {
  status: number
  rpcCode: number
  code: keyof typeof REFUSALS
  content: string
  /** Seconds. */
  retryAfter?: number
}

/** A refusal of the negotiation, with the status of its code. */
export const refusal = (
  code: NegotiationRefusal['code'],
  content: string,
  retryAfter?: number,
): { refusal: NegotiationRefusal } => ({
  refusal: { ...REFUSALS[code], code, content, ...(retryAfter !== undefined && { retryAfter }) },
})
