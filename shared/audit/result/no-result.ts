/** Codes of what keeps an audit from having a result; the API answers with them. */
const CODES = [
  'domain_unreachable',
  'domain_blocked',
  'nothing_judged',
  'too_large_to_judge',
] as const
type NoResultCode = (typeof CODES)[number]

/**
 * The state of a store leaves an audit without a result. That is the caller's to act on, and no
 * failure of ours; the message may quote what the store answered.
 */
export class NoResult extends Error {
  override name = 'NoResult'
  readonly code: NoResultCode

  constructor(code: NoResultCode, message: string) {
    super(message)
    this.code = code
  }
}

export const isNoResultCode = (code: string): code is NoResultCode =>
  CODES.some((each) => each === code)
