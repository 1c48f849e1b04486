import { expect, test } from 'vitest'
import { readServerUrl } from './server-url.ts'

test.each([
  ['https://aisle.example', 'https://aisle.example'],
  ['https://aisle.example/', 'https://aisle.example'],
  ['https://aisle.example/base/', 'https://aisle.example/base'],
  ['aisle.example', 'https://aisle.example'],
  ['  HTTPS://Aisle.Example:8443  ', 'https://aisle.example:8443'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
  ['http://api.localhost', 'http://api.localhost'],
])('%s is %s', (typed, url) => {
  expect(readServerUrl(typed)).toEqual({ url })
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['http://aisle.example', 'not_https'],
  ['http://192.168.0.2', 'not_https'],
  ['http://localhost.evil.example', 'not_https'],
  ['http://notlocalhost', 'not_https'],
  ['ftp://aisle.example', 'no_url'],
  ['javascript:alert(1)', 'no_url'],
  ['javascript://aisle.example', 'no_url'],
  ['https://', 'no_url'],
  ['https://me:secret@aisle.example', 'no_url'],
  ['https://aisle.example/?key=1', 'no_url'],
  ['https://aisle.example/#top', 'no_url'],
  ['two words', 'no_url'],
])('%j is refused as %s', (typed, problem) => {
  expect(readServerUrl(typed)).toEqual({ problem })
})
