import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE } from './dialects/testing/answers.ts'
import { schemaFaults } from './tool-schemas.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: unknown) => ({ type: 'array', items })
const TEXT = { type: 'string' }
const LINE = object({ item: object({ id: TEXT }), quantity: { type: 'integer' } })
const CHECKOUT = object({ line_items: list(LINE) })

const found = (inputSchema: unknown, name = 'create_checkout') =>
  schemaFaults([{ name, inputSchema }]).map((fault) => `${fault.field}: ${fault.found}`)

test.each<[string, object]>([
  ['shows it', object({ meta: object({}), checkout: CHECKOUT }, { required: ['checkout'] })],
  ['says nothing', { type: 'object' }],
  ['says nothing of the checkout', object({ meta: object({}), checkout: { type: 'object' } })],
  ['leaves out what each call has', object({ checkout: CHECKOUT })],
  ['refers to it', object({ checkout: { $ref: '#/$defs/a~1b' } }, { $defs: { 'a/b': CHECKOUT } })],
  ['combines it', object({ checkout: { allOf: [object({ buyer: {} }), CHECKOUT] } })],
  [
    'has it as one of several',
    object({ checkout: { anyOf: [object({ cart_id: TEXT }), CHECKOUT] } }),
  ],
  ['demands a buyer', object({ checkout: { ...CHECKOUT, required: ['line_items', 'buyer'] } })],
])('a schema that %s is right', (_, schema) => {
  expect(found(schema)).toEqual([])
})

test.each<[string, object, string]>([
  [
    'another form',
    object({ items: list(object({ sku: TEXT, qty: TEXT })) }, { required: ['items'] }),
    'create_checkout.inputSchema: It shows "items" where UCP has "checkout".',
  ],
  [
    'other lines',
    object({ checkout: object({ line_items: list(object({ sku: TEXT, qty: TEXT })) }) }),
    'create_checkout.inputSchema.checkout.line_items[]: It shows "sku", "qty" where UCP has "item".',
  ],
  [
    'more than UCP has',
    object({ checkout: CHECKOUT }, { required: ['checkout', 'api_token'] }),
    'create_checkout.inputSchema: It demands "api_token", which UCP does not have there.',
  ],
  [
    'less than each call has',
    object({ checkout: CHECKOUT }, { additionalProperties: false }),
    'create_checkout.inputSchema: It shows "checkout" where UCP has "meta".',
  ],
])('a schema that shows %s is not', (_, schema, fault) => {
  expect(found(schema)).toEqual([fault])
})

test('each tool is compared with its own form, and others with none', () => {
  expect(found(object({ id: TEXT }), 'get_checkout')).toEqual([])
  expect(found(object({ checkout_id: TEXT }), 'get_checkout')).toHaveLength(1)
  expect(found(object({ anything: TEXT }), 'toString')).toEqual([])
})

test('whatever a store writes is read, without end or not', () => {
  const endless: Record<string, unknown> = { $ref: '#/a' }
  endless.a = endless
  expect(found(endless)).toEqual([])
  for (const value of HOSTILE) {
    for (const key of ['properties', 'required', 'allOf', 'anyOf', '$ref', 'items']) {
      found({ ...object({ checkout: { [key]: value } }), [key]: value })
    }
  }
  fc.assert(fc.property(fc.jsonValue(), (value) => void found(value)))
})
