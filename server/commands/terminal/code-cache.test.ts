import { expect, test } from 'vitest'
import { codeCacheFolder } from './code-cache.ts'

test.each<[NodeJS.Platform, Record<string, string>, string | null]>([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.cache/aisle/1.0.0'],
  ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: '/var/ada' }, '/var/ada/aisle/1.0.0'],
  ['linux', { HOME: '/home/ada', XDG_CACHE_HOME: 'cache' }, '/home/ada/.cache/aisle/1.0.0'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Caches/aisle/1.0.0'],
  ['linux', {}, null],
  ['linux', { HOME: '' }, null],
  ['win32', { HOME: '/home/ada' }, null],
])('on %s with %j, compiled code is kept in %s', (platform, env, folder) => {
  expect(codeCacheFolder('1.0.0', env, platform)).toBe(folder)
})
