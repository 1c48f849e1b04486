import * as z from 'zod'
import { isUri } from '../web/address/uri.ts'
import { readMoment } from '../web/moment.ts'

/** The building blocks of the protocols' schemas; their messages follow the name of a field. */

export const Filled = z.string().min(1)

/** JSON Schema's `format: uri`. */
export const Uri = z.string().refine(isUri, 'must be an absolute URL')

export const Time = z
  .string()
  .refine((text) => readMoment(text) !== null, 'must be a time such as "2026-04-08T12:00:00Z"')

export const WebAddress = z
  .string()
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be an absolute https URL',
  )
