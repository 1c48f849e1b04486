import { readServerUrl } from '../../api/server-url.ts'
import type { Connection } from '../../stored/storage.ts'
import type { MessageKey } from '../../texts/messages.ts'

export interface ConnectionValues {
  url: string
  /** Empty: the stored key stays, if the server does. */
  key: string
}

export type ConnectionErrors = { [Field in keyof ConnectionValues]?: MessageKey }

const KEY_START = 'aisle_live_'
const KEY = /^aisle_live_\w{8,}$/

/**
 * The connection to store, or the errors. `kept` is the stored one: its key is not used for another
 * server.
 */
export function readConnection(
  { url, key }: ConnectionValues,
  kept: Connection,
): { connection: Connection } | { errors: ConnectionErrors } {
  const server = readServerUrl(url)
  const typed = key.trim()
  if ('problem' in server) {
    return {
      errors: {
        url: `options_server_${server.problem}`,
        ...(typed !== '' && !KEY.test(typed) && { key: 'options_key_shape' }),
      },
    }
  }
  if (typed !== '') {
    return KEY.test(typed)
      ? { connection: { url: server.url, key: typed } }
      : { errors: { key: 'options_key_shape' } }
  }
  const isOther = kept.key !== '' && URL.parse(kept.url)?.origin !== URL.parse(server.url)?.origin
  return isOther
    ? { errors: { key: 'options_key_other' } }
    : { connection: { url: server.url, key: kept.key } }
}

/** `…` and the last four characters, by which a person recognizes a key; of other text only `…`. */
export const keyEnd = (key: string): string =>
  key.startsWith(KEY_START) && key.length > KEY_START.length + 12 ? `…${key.slice(-4)}` : '…'
