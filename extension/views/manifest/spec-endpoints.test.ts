import { expect, test } from 'vitest'
import { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import { specEndpoints } from './spec-endpoints.ts'

test('the examples are what the form would accept', () => {
  expect(
    ManifestRequest.safeParse({ domain: 'shop.example', ...specEndpoints('shop.example') }).success,
  ).toBe(true)
})
