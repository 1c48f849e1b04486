import { expect, test } from 'vitest'
import { Domain, domainOfAddress, normaliseDomain } from './domain.ts'

test.each([
  ['shop.example', 'shop.example'],
  ['SHOP.Example.', 'shop.example'],
  [' www.shop.co.uk ', 'www.shop.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('%s is %s', (input, domain) => expect(normaliseDomain(input)).toEqual({ domain }))

// The fast path gives the URL parser's result.
test.each([
  'shop.example',
  'a-b.c1.shop.co',
  `${'a'.repeat(63)}.example`,
  `${'a.'.repeat(123)}example`,
  'xn--bcher-kva.example',
  '1.2.3.example',
  '0x7f.example',
  '1.2.3.0x7f',
  'a--b.example',
  'a-.example',
  'shop.ex4mple',
  `${'a.'.repeat(124)}example`,
  'shop.example\n',
])('%j in its one form is what the parser of URLs makes of it', (input) => {
  const host = URL.parse(`https://${input}`)?.hostname
  const read = normaliseDomain(input)
  if ('domain' in read) expect(read.domain).toBe(host)
  // Other ways to write the same go through the parser.
  expect(normaliseDomain(`${input.trim()}.`)).toEqual(read)
})

test.each([
  'https://shop.example',
  'shop.example/path',
  'shop.example:8443',
  'user@shop.example',
  'shop.example?q=1',
  'shop .example',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '127。0。0。1',
  '[::1]',
  '::1',
  'localhost',
  'shop',
  '',
  '.',
  '-shop.example',
  'shop..example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
  'shop.example\\@evil.example',
  'under_score.example',
])('%j is refused with a sentence', (input) => {
  const read = Domain.safeParse(input)
  expect(read.success).toBe(false)
  expect(read.error?.issues[0]?.message).toMatch(/^[A-Z].+\.$/)
})

test.each([
  ['https://Shop.example/products/boot?size=9#top', 'shop.example'],
  ['http://www.shop.example', 'www.shop.example'],
  [' shop.example/ ', 'shop.example'],
  ['shop.example?utm_source=chatgpt.com', 'shop.example'],
  ['HTTPS://BÜCHER.example:443/', 'xn--bcher-kva.example'],
  ['shop.example', 'shop.example'],
])('the address %j is of %s', (input, domain) => expect(domainOfAddress(input)).toEqual({ domain }))

test.each(['https://shop.example:8443/', 'shop.example:8443/a?b'])(
  'the address %j is told to leave out its port',
  (input) => expect(domainOfAddress(input)).toEqual({ problem: 'Send the domain without a port.' }),
)

test.each(['http://localhost:3000', 'localhost', 'https://127.0.0.1/', '[::1]:8080'])(
  'at the address %j one is told where a shop on this machine is audited',
  (input) =>
    expect(domainOfAddress(input)).toEqual({
      problem: expect.stringContaining('aisle audit http://localhost:3000'),
    }),
)

test.each([
  'ftp://shop.example/',
  'ada@shop.example',
  'https://ada@shop.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://localhost/',
  'shop .example',
  'https:\\\\shop.example',
  'javascript:alert(1)',
  '',
])('the address %j is refused with a sentence', (input) =>
  expect(domainOfAddress(input)).toEqual({ problem: expect.stringMatching(/^[A-Z].+\.$/) }),
)
