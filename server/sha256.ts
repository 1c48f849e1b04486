import { hash } from 'node:crypto'

/** In hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data)
