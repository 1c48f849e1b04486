import { bodyLimit } from 'hono/body-limit'
import { ApiError } from './errors.ts'

const KIB = 1024

/** Unspecified: the largest request body, 256 KiB. A manifest of every option is below 2 KiB. */
export const limitBody = bodyLimit({
  maxSize: 256 * KIB,
  onError: () => {
    throw new ApiError(413, 'body_too_large', 'The body is over 256 KiB. Send a smaller one.')
  },
})
