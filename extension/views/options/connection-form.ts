import { readServerUrl } from '../../api/server-url.ts'
import type { Connection } from '../../stored/storage.ts'

export interface ConnectionValues {
  url: string
  /** Empty: the stored key stays, if the server does. */
  key: string
}

export type ConnectionErrors = { [Field in keyof ConnectionValues]?: string }

const SERVER_PROBLEMS = {
  empty: 'Enter the address of an Aisle server.',
  no_url: 'This is not a valid URL. Enter one such as https://aisle.example.',
  not_https:
    'Use https: the key travels with each request. http is only for a server on this computer.',
}
const KEY_SHAPE = 'A key begins with aisle_live_. Copy the whole key.'
const KEY_OTHER = 'The stored key belongs to another server. Enter the key for this one.'

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
        url: SERVER_PROBLEMS[server.problem],
        ...(typed !== '' && !KEY.test(typed) && { key: KEY_SHAPE }),
      },
    }
  }
  if (typed !== '') {
    return KEY.test(typed)
      ? { connection: { url: server.url, key: typed } }
      : { errors: { key: KEY_SHAPE } }
  }
  const isOther = kept.key !== '' && URL.parse(kept.url)?.origin !== URL.parse(server.url)?.origin
  return isOther
    ? { errors: { key: KEY_OTHER } }
    : { connection: { url: server.url, key: kept.key } }
}

/** `…` and the last four characters, by which a person recognizes a key; of other text only `…`. */
export const keyEnd = (key: string): string =>
  key.startsWith(KEY_START) && key.length > KEY_START.length + 12 ? `…${key.slice(-4)}` : '…'
