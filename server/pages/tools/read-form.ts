import type { Context } from 'hono'
import { ApiError } from '../../http/api-error.ts'

/** The fields of one of our forms. Throws 415 for any other body. */
export async function readForm(c: Context): Promise<URLSearchParams> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'Send the fields of the form as application/x-www-form-urlencoded.',
    )
  }
  return new URLSearchParams(await c.req.text())
}
