import { describe, expect, test } from 'vitest'
import { findTestHost, parseTestHosts } from './test-hosts.ts'

const hosts = parseTestHosts(
  '*.example=http://127.0.0.1:8788, *.shop.example=http://127.0.0.1:2, Shop.Example=http://[::1]:3/',
  'development',
)

test.each([
  ['shop.example', 'http://[::1]:3'],
  ['SHOP.example.', 'http://[::1]:3'],
  ['www.shop.example', 'http://127.0.0.1:2'],
  ['other.example', 'http://127.0.0.1:8788'],
  ['a.b.c.example', 'http://127.0.0.1:8788'],
  ['example', undefined],
  ['notexample', undefined],
  ['shop.example.com', undefined],
  ['127.0.0.1', undefined],
])('%s is served by %s', (name, origin) => {
  expect(findTestHost(hosts, name)?.origin).toBe(origin)
})

test.each([undefined, '', ' , '])('%j means no test hosts, also in production', (text) => {
  expect(parseTestHosts(text, 'production')).toEqual([])
})

describe('is refused with what to do', () => {
  test.each([
    ['x.test=http://127.0.0.1:1', 'production', 'unset it when NODE_ENV=production'],
    ['x.test', undefined, 'is not "name=origin"'],
    ['x.test=nonsense', undefined, 'is not "name=origin"'],
    ['x.test=http://127.0.0.1:1=2', undefined, 'is not "name=origin"'],
    ['*=http://127.0.0.1:1', undefined, 'is not "name=origin"'],
    ['10.0.0.1=http://127.0.0.1:1', undefined, 'is not "name=origin"'],
    ['x.*.test=http://127.0.0.1:1', undefined, 'is not "name=origin"'],
    ['x.test=https://127.0.0.1:1', undefined, 'is not a loopback origin'],
    ['x.test=http://10.0.0.1:1', undefined, 'is not a loopback origin'],
    ['x.test=http://shop.com', undefined, 'is not a loopback origin'],
    ['x.test=http://127.0.0.1:1/path', undefined, 'is not a loopback origin'],
    ['x.test=http://u:p@127.0.0.1:1', undefined, 'is not a loopback origin'],
  ])('%s (NODE_ENV %s)', (text, nodeEnv, message) => {
    expect(() => parseTestHosts(text, nodeEnv)).toThrow(message)
  })
})
