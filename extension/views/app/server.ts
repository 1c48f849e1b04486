import { useMemo } from 'preact/hooks'
import { type ApiClient, createApiClient } from '../../api/client.ts'
import { type Connection, connection } from '../../stored/storage.ts'
import { useStored } from '../../stored/use-stored.ts'

/** The server from the options. `name` is its host, for people. */
export interface Server extends Connection {
  /** Differs for each address and key: results of one are not shown for the next. */
  id: string
  api: ApiClient
  name: string
}

/** The server from the options: null without one, undefined until they were read. */
export function useServer(): Server | null | undefined {
  const { url, key } = useStored(connection) ?? {}
  return useMemo(() => {
    if (url === undefined || key === undefined) return undefined
    if (url === '') return null
    const api = createApiClient({ baseUrl: url, key })
    return { id: crypto.randomUUID(), api, url, key, name: displayHost(url) }
  }, [url, key])
}

/** The host of an address, for display; the text itself if it is not a URL. */
export const displayHost = (url: string): string => URL.parse(url)?.host ?? url
