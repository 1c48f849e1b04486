import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { isAddress, pathBeside, shownPath, uriOfPath } from './paths.ts'

const WINDOWS = { paths: win32, cwd: 'C:\\work\\shop' }
const POSIX = { paths: posix, cwd: '/work/shop' }

test.each([
  ['aisle.json', 'aisle.json', 'aisle.json'],
  ['conf\\aisle.json', 'conf/aisle.json', 'conf/aisle.json'],
  ['conf/aisle.json', 'conf/aisle.json', 'conf/aisle.json'],
  ['C:\\work\\shop\\ucp #1.json', 'ucp #1.json', 'ucp%20%231.json'],
  ['..\\other\\100%.json', '../other/100%.json', '../other/100%25.json'],
  ['D:\\conf\\aisle.json', 'D:/conf/aisle.json', 'file:///D:/conf/aisle.json'],
])('on Windows %s is shown as %s', (path, shown, uri) => {
  expect(shownPath(path, WINDOWS)).toBe(shown)
  expect(uriOfPath(shown)).toBe(uri)
})

test.each([
  ['./conf/aisle.json', 'conf/aisle.json'],
  ['/work/shop/aisle.json', 'aisle.json'],
  ['/etc/aisle.json', '../../etc/aisle.json'],
  ['back\\slash.json', 'back\\slash.json'],
])('elsewhere %s is shown as %s', (path, shown) => {
  expect(shownPath(path, POSIX)).toBe(shown)
})

test.each([
  ['C:\\conf\\aisle.json', 'last.json', 'C:\\conf\\last.json'],
  ['C:\\conf\\aisle.json', 'walks/shop.json', 'C:\\conf\\walks\\shop.json'],
  ['conf\\aisle.json', '..\\last.json', 'last.json'],
  ['C:\\conf\\aisle.json', 'D:\\last.json', 'D:\\last.json'],
  ['C:\\conf\\aisle.json', 'C:/last.json', 'C:/last.json'],
  ['C:\\conf\\aisle.json', '\\\\server\\share\\last.json', '\\\\server\\share\\last.json'],
  ['C:\\conf\\aisle.json', 'https://shop.example/last.json', 'https://shop.example/last.json'],
])('what %s names as %s is %s', (file, named, path) => {
  expect(pathBeside(file, named, win32)).toBe(path)
})

test.each([
  ['https://shop.example/a.json', true],
  ['file:///etc/passwd', true],
  ['C://last.json', false],
  ['C:\\last.json', false],
  ['last.json', false],
])('%s is an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected)
})
