import { expect, test } from 'vitest'
import { fileText } from '../../../shared/manifest/generate.ts'
import { buildFile, readPasted, validateLocally } from './local-manifest.ts'

const REQUEST = {
  domain: 'shop.example',
  catalog_endpoint: 'https://shop.example/ucp/products',
  checkout_endpoint: 'https://shop.example/ucp/checkout',
}
const NOW = new Date('2026-11-20T10:00:00Z')

test.each(['1.0', 'ucp'] as const)('a file of format %s is valid as it is', (format) => {
  const { text } = buildFile({ ...REQUEST, format }, NOW)
  const pasted = readPasted(text)
  expect(pasted).not.toHaveProperty('problem')
  if ('problem' in pasted) return
  const validation = validateLocally(pasted.document, 'shop.example')
  expect(validation).toMatchObject({ valid: true, errors: [] })
  expect(validation.dialect).toBe(format === 'ucp' ? '2026-08-25' : '1.0')
  expect(text).not.toContain('generated_at')
})

test('an endpoint on another host is reported, not refused', () => {
  const { warnings } = buildFile({ ...REQUEST, checkout_endpoint: 'https://pay.example/c' }, NOW)
  expect(warnings).toEqual([expect.stringContaining('pay.example')])
})

test('what is not to be published is left out', () => {
  expect(fileText({ version: '1.0', generated_at: NOW.toISOString() })).toBe(
    '{\n  "version": "1.0"\n}\n',
  )
})

test.each([
  ['nothing', '  ', /Paste/],
  ['a comma too many', '{\n  "version": "1.0",\n}', /line 2, column 19/],
  ['a web page', '<!doctype html>', /line 1, column 1/],
  ['a flood', `"${'x'.repeat(600_000)}"`, /512 KiB/],
])('%s is no manifest, and it says where', (_, text, problem) => {
  expect(readPasted(text)).toEqual({ problem: expect.stringMatching(problem) })
})

test.each(['7', '[]', '{"__proto__":{"version":"1.0"}}', '{"capabilities":{"checkout":7}}'])(
  '%s is an invalid manifest',
  (text) => {
    const pasted = readPasted(text)
    expect('document' in pasted && validateLocally(pasted.document).valid).toBe(false)
  },
)

test('a manifest of another domain is told at its field', () => {
  const { text } = buildFile(REQUEST, NOW)
  const pasted = readPasted(text)
  expect('document' in pasted && validateLocally(pasted.document, 'other.example').errors).toEqual([
    expect.objectContaining({ field: 'domain', code: 'domain_mismatch' }),
  ])
})
