import { useMemo } from 'preact/hooks'
import { createApi } from '../api.ts'
import { apiKey, serverUrl } from '../storage.ts'
import { hostOf, type Server } from './session.ts'
import { useStored } from './use-stored.ts'

/** The server that the options name: null without one, undefined until they were read. */
export function useServer(): Server | null | undefined {
  const url = useStored(serverUrl)
  const key = useStored(apiKey)
  return useMemo(() => {
    if (url === null || key === null) return undefined
    if (url === '') return null
    const api = createApi({ baseUrl: url, key, fetch: (...request) => fetch(...request) })
    return { api, url, name: hostOf(url) }
  }, [url, key])
}
