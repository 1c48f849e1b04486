import * as z from 'zod'

/**
 * Official ACP's flat error; `request_not_idempotent` and `rate_limit_exceeded` are older types.
 */
export const OfficialAcpError = z.object({
  type: z.enum([
    'invalid_request',
    'processing_error',
    'service_unavailable',
    'request_not_idempotent',
    'rate_limit_exceeded',
  ]),
  code: z.string().min(1),
  message: z.string().min(1),
  supported_versions: z.array(z.string()).optional().catch(undefined),
})
export type OfficialAcpError = z.infer<typeof OfficialAcpError>
