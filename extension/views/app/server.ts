import { useMemo } from 'preact/hooks'
import { type ApiClient, createApiClient } from '../../api/client.ts'
import { type Connection, connection } from '../../stored/storage.ts'
import { useStored } from '../../stored/use-stored.ts'

/** A server that was named in the options. `name` is its host, for people. */
export interface Server extends Connection {
  /** Another one for each address and key: what was asked with one is not shown for the next. */
  id: string
  api: ApiClient
  name: string
}

/** The server that the options name: null without one, undefined until they were read. */
export function useServer(): Server | null | undefined {
  const { url, key } = useStored(connection) ?? {}
  return useMemo(() => {
    if (url === undefined || key === undefined) return undefined
    if (url === '') return null
    const api = createApiClient({ baseUrl: url, key })
    return { id: crypto.randomUUID(), api, url, key, name: displayHost(url) }
  }, [url, key])
}

/** The host of an address, to be shown; the text itself when it is not a URL. */
export const displayHost = (url: string): string => URL.parse(url)?.host ?? url
