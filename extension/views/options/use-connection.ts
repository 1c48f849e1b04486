import { useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { createApiClient, type KeyAccess } from '../../api/client.ts'
import { askDataConsent } from '../../browser/data-consent.ts'
import { type Connection, connection } from '../../stored/storage.ts'
import { useApp } from '../app/app-state.ts'
import { useTask } from '../tasks/use-task.ts'
import {
  type ConnectionErrors,
  type ConnectionValues,
  keyEnd,
  readConnection,
} from './connection-form.ts'

/** The server and the key: what is typed, what is kept, and whether they work together. */
export function useConnection() {
  const { server } = useApp()
  // The app draws nothing before it has read them, so no press comes too early to be heard.
  const kept: Connection = server ?? connection.fallback
  const [typed, setTyped] = useState<Partial<ConnectionValues>>({})
  const [errors, setErrors] = useState<ConnectionErrors>({})
  const test = useTask<KeyAccess>()
  const values: ConnectionValues = { url: kept.url, key: '', ...typed }

  const change = (changed: Partial<ConnectionValues>) => {
    // What was found out is not about what is typed now.
    test.forget()
    setTyped((before) => ({ ...before, ...changed }))
  }
  const save = async () => {
    const read = readConnection(values, kept)
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) return test.forget()
    if (!(await askDataConsent(browser))) return setErrors({ url: 'data_not_granted' })
    const { url, key } = read.connection
    await connection.setValue({ url, key })
    setTyped({ url })
    const api = createApiClient({ baseUrl: url, key })
    test.start((signal) => api.testConnection(signal))
  }
  const forget = async () => {
    test.forget()
    setErrors({})
    await connection.removeValue()
    setTyped({})
  }
  return {
    values,
    change,
    errors,
    test: test.task,
    save,
    forget,
    keptKeyEnd: kept.key === '' ? null : keyEnd(kept.key),
    isKept: kept.url !== '',
  }
}
