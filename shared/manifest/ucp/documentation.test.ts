import { expect, test } from 'vitest'
import type { UcpVersion } from '../../protocols/ucp/versions.ts'
import { withoutPassword } from '../../web/address/uri.ts'
import { specFindings } from './documentation.ts'
import { readProfileOffer } from './offer.ts'

const CHECKOUT = 'dev.ucp.shopping.checkout'

const found = (version: UcpVersion, name: string, spec: string, part = 'capabilities') =>
  specFindings(
    readProfileOffer({ ucp: { [part]: { [name]: [{ version, spec }] } } }, version),
    version,
  )

test.each<[UcpVersion, string, string]>([
  ['2026-08-25', CHECKOUT, 'http://ucp.dev/2026-08-25/specification/shopping/checkout'],
  ['2026-08-25', CHECKOUT, 'ftp://ucp.dev/checkout'],
  ['2026-04-08', CHECKOUT, 'http://ucp.dev/2026-04-08/specification/checkout'],
  ['2026-04-08', CHECKOUT, 'https://docs.shop.example/checkout'],
  ['2026-04-08', CHECKOUT, 'https://ucp.dev@shop.example/checkout'],
  ['2026-04-08', CHECKOUT, 'https://ucp.dev.shop.example/checkout'],
  ['2026-01-23', 'com.example.pay', 'https://examplepay.com/spec'],
  ['2026-01-23', 'com.example.pay', 'https://com/spec'],
])('%s: %s is not at %s', (version, name, spec) => {
  expect(found(version, name, spec)).toEqual([
    expect.stringContaining(`${name}.0.spec ("${withoutPassword(spec)}")`),
  ])
})

test.each<[UcpVersion, string, string]>([
  ['2026-08-25', CHECKOUT, 'https://docs.shop.example/checkout'],
  ['2026-04-08', CHECKOUT, 'https://ucp.dev/2026-04-08/specification/checkout'],
  ['2026-04-08', CHECKOUT, 'https://UCP.dev/specification/checkout'],
  ['2026-04-08', 'com.example.pay', 'https://docs.eu.example.com/pay'],
  ['2026-04-08', 'com.example.pay', 'https://pay.example.com/'],
])('%s: %s may be at %s', (version, name, spec) => {
  expect(found(version, name, spec)).toEqual([])
})

test('before 2026-08-25, nothing is said of payment handlers', () => {
  const spec = 'http://docs.shop.example/pay'
  expect(found('2026-04-08', 'com.google.pay', spec, 'payment_handlers')).toEqual([])
  expect(found('2026-08-25', 'com.google.pay', spec, 'payment_handlers')).toHaveLength(1)
})
