import type { TextKey } from '../../all-texts.ts'
import { readServerUrl } from '../../server-url.ts'

export interface ConnectionValues {
  url: string
  /** Empty: the key that is kept stays. */
  key: string
}

export interface Connection {
  url: string
  key: string
}

export type ConnectionErrors = { [Field in keyof ConnectionValues]?: TextKey }

const KEY_START = 'aisle_live_'

/** What is to be kept, or what has to be corrected. `kept` is the key of before. */
export function readConnection(
  { url, key }: ConnectionValues,
  kept: string,
): { connection: Connection } | { errors: ConnectionErrors } {
  const server = readServerUrl(url)
  const typed = key.trim()
  const errors: ConnectionErrors = {
    ...('problem' in server && { url: `options_server_${server.problem}` as const }),
    ...(typed !== '' && !/^aisle_live_\w{8,}$/.test(typed) && { key: 'options_key_shape' }),
  }
  return 'problem' in server || errors.key !== undefined
    ? { errors }
    : { connection: { url: server.url, key: typed === '' ? kept : typed } }
}

/** The last four characters, to know a key again by; nothing of a key that is no key. */
export const keyEnd = (key: string): string =>
  key.startsWith(KEY_START) && key.length > KEY_START.length + 12 ? `…${key.slice(-4)}` : '…'
