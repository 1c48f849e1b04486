import { expect, test } from 'vitest'
import { OLDEST_CLIENT, refuseOldClient } from './old-client.ts'

test.each(['aisle-node/0.0.9', 'aisle-woocommerce/0.0.99 (WordPress)'])(
  '%s is too old',
  (agent) => {
    expect(() => refuseOldClient(agent)).toThrow(/is too old .* Update it to/)
  },
)

test.each([
  undefined,
  '',
  `aisle-node/${OLDEST_CLIENT}`,
  'aisle-node/0.1.1',
  'aisle-vendure/1.0.0',
  'aisle-node/next',
  'shop/0.0.1',
])('%s is answered', (agent) => {
  expect(() => refuseOldClient(agent)).not.toThrow()
})
