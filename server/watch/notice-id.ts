import { hash } from 'node:crypto'

/** A UUID derived from a name: version 8 (RFC 9562). One name gives one notice. */
export function noticeIdOf(name: string): string {
  const hex = hash('sha256', name)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join('-')
}
