import { useMemo } from 'preact/hooks'
import { createApiClient } from '../api/client.ts'
import { connection } from '../stored/storage.ts'
import { useStored } from '../stored/use-stored.ts'
import { displayHost, type Server } from './app-state.ts'

/** The server that the options name: null without one, undefined until they were read. */
export function useServer(): Server | null | undefined {
  const { url, key } = useStored(connection) ?? {}
  return useMemo(() => {
    if (url === undefined || key === undefined) return undefined
    if (url === '') return null
    const api = createApiClient({ baseUrl: url, key, fetch: (...request) => fetch(...request) })
    return { id: crypto.randomUUID(), api, url, name: displayHost(url) }
  }, [url, key])
}
