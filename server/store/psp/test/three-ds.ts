import { invalid, type StripeResponse } from './form.ts'

const PREFIX = 'payment_method_options[card][three_d_secure]'

/** Source: Stripe's API reference, `payment_method_options.card.three_d_secure`. */
const FIELDS: readonly (readonly [string, RegExp])[] = [
  ['cryptogram', /^[A-Za-z0-9+/]{27}=$/],
  ['electronic_commerce_indicator', /^0[12567]$/],
  ['transaction_id', /^[\x21-\x7e]{1,255}$/],
  ['version', /^(?:1\.0\.2|2\.[12]\.0|2\.3\.[01])$/],
]

/** The networks' word for a buyer who was not authenticated. */
const NOT_AUTHENTICATED = '07'

/**
 * Whether a request has the result of an authentication that the bank accepts; an error of the
 * request if it cannot be read.
 */
export function readThreeDs(form: URLSearchParams): boolean | StripeResponse {
  if (![...form.keys()].some((name) => name.startsWith(PREFIX))) return false
  const wrong = FIELDS.find(
    ([name, pattern]) => !pattern.test(form.get(`${PREFIX}[${name}]`) ?? ''),
  )
  if (wrong !== undefined) {
    const param = `${PREFIX}[${wrong[0]}]`
    return invalid('parameter_invalid_string', param, 'Invalid value of a 3DS result.')
  }
  return form.get(`${PREFIX}[electronic_commerce_indicator]`) !== NOT_AUTHENTICATED
}
