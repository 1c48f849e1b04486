import { describe, expect, test } from 'vitest'
import { checkUrl, isPublicAddress, resolvePublic } from './address.ts'

describe('public addresses', () => {
  test.each([
    '1.1.1.1',
    '9.9.9.9',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '192.169.0.1',
    '168.63.129.15',
    '::ffff:1.1.1.1',
    '2001:200::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2a00:1450:4001::5efe:a00:1:1',
    '2a00:1450:4001:0:400:5efe:a00:1',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('other addresses', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.255',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.255',
    '192.168.255.255',
    '192.175.48.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.255',
    '203.0.113.255',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '1::1',
    '1fff::1',
    '2001::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:101:101::1',
    '2620:4f:8000::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fdff::1',
    'fe00::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    '2606:4700::5efe:10.0.0.1',
    '2606:4700::200:5efe:10.0.0.1',
    '2606:4700:1:2:0:5efe:a9fe:a9fe',
    '2606:4700:1:2:200:5efe:127.0.0.1',
    '2606:4700::200:5efe:1.1.1.1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '1.1.1',
    '1.1.1.256',
    'shop.com',
    '',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

test.each([
  ['https://shop.com', 'https://shop.com/'],
  ['http://www.shop.co.uk:80/a?b#c', 'http://www.shop.co.uk/a?b#c'],
  ['https://shop.com:80/', 'https://shop.com:80/'],
  ['https://bücher.de/', 'https://xn--bcher-kva.de/'],
  ['https://my_shop.example.com/', 'https://my_shop.example.com/'],
  ['https://shop.com./', 'https://shop.com./'],
  ['https://localhost.com/', 'https://localhost.com/'],
])('%s may be asked', (text, href) => {
  expect(checkUrl(text).href).toBe(href)
})

test.each([
  'https://127.0.0.1',
  'https://[::1]',
  'https://1.1.1.1',
  'https://a.local',
  'https://a',
])('%s may not', (text) => {
  expect(() => checkUrl(text)).toThrow('no public web server')
})

test('a test host may have any port and a special suffix', () => {
  const hosts = [{ pattern: '*.localhost', origin: 'http://127.0.0.1:1' }]
  expect(checkUrl('https://shop.localhost:8443/', hosts).port).toBe('8443')
  expect(() => checkUrl('https://shop.localhost:8443/')).toThrow('port 8443')
})

test.each([
  ['nonsense', 'write https://host/path'],
  ['ftp://shop.com/', 'ftp: is not supported'],
  ['https://me:pw@shop.com/', 'remove it'],
  ['https://shop.com:22/', 'port 22 is not supported'],
])('the refusal of %s says what to do', (text, message) => {
  expect(() => checkUrl(text)).toThrow(message)
})

describe('resolvePublic', () => {
  const resolveTo = (...addresses: string[]) =>
    resolvePublic('shop.com', async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

  test('hands over two tested addresses of each family', async () => {
    const found = await resolveTo('2a00::1', '1.1.1.1', '1.1.1.2', '1.1.1.3', '2a00::2', '2a00::3')
    expect(found.map(({ address }) => address)).toEqual([
      '1.1.1.1',
      '1.1.1.2',
      '2a00::1',
      '2a00::2',
    ])
  })

  test('tests the addresses that it would not hand over', async () => {
    await expect(resolveTo('1.1.1.1', '1.1.1.2', '10.0.0.1')).rejects.toMatchObject({
      why: 'unreachable',
    })
  })

  test('a literal is refused before it is resolved', async () => {
    const resolve = async () => [{ address: '1.1.1.1', family: 4 }]
    await expect(resolvePublic('127.0.0.1', resolve)).rejects.toMatchObject({
      why: 'unreachable',
    })
  })
})
