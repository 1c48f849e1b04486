import { expect, test } from 'vitest'
import { isPrivateHost } from './private-host.ts'

const hostOf = (host: string) => new URL(`https://${host}/`).hostname

test.each([
  'localhost',
  'LOCALHOST',
  'shop.localhost',
  'shop',
  'shop.local',
  'api.internal',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0.0.0.0',
  '10.0.0.8',
  '172.16.0.1',
  '172.31.9.9',
  '192.168.1.10',
  '169.254.169.254',
  '100.64.0.1',
  '[::1]',
  '[::]',
  '[fd12::1]',
  '[fe80::1]',
  '[::ffff:127.0.0.1]',
])('no agent reaches %s', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(true)
})

test.each([
  'shop.example',
  'localhost.example',
  'local.shop.example',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '11.0.0.1',
  '[2001:db8::1]',
  'xn--bcher-kva.example',
  '10.example',
])('agents may reach %s', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(false)
})
