import { useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { createApiClient, type KeyAccess } from '../../api/client.ts'
import { askDataConsent } from '../../browser/data-consent.ts'
import { type Connection, connection } from '../../stored/storage.ts'
import { useApp } from '../app/app-state.ts'
import { IDLE } from '../tasks/task-state.ts'
import { useTask } from '../tasks/use-task.ts'
import {
  type ConnectionErrors,
  type ConnectionValues,
  keyEnd,
  readConnection,
} from './connection-form.ts'

/** The server and the key: the typed and the stored values, and whether they work together. */
export function useConnection() {
  const { server } = useApp()
  // The app draws nothing before it has read them, so no click comes too early.
  const kept: Connection = server ?? connection.fallback
  const [typed, setTyped] = useState<Partial<ConnectionValues>>({})
  const [errors, setErrors] = useState<ConnectionErrors>({})
  const test = useTask<KeyAccess>()
  /** The connection that the test is of. */
  const [saved, setSaved] = useState<Connection | null>(null)
  const isSaved = saved !== null && saved.url === kept.url && saved.key === kept.key
  const values: ConnectionValues = { url: kept.url, key: '', ...typed }

  const change = (changed: Partial<ConnectionValues>) => {
    // The result of a test does not apply to what is typed since.
    test.forget()
    setTyped((before) => ({ ...before, ...changed }))
  }
  const save = async () => {
    const read = readConnection(values, kept)
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) return test.forget()
    if (!(await askDataConsent(browser)))
      return setErrors({
        url: 'The browser sends nothing to a server until you allow it. Save again, and choose Allow.',
      })
    const { url, key } = read.connection
    setSaved({ url, key })
    try {
      await connection.setValue({ url, key })
    } catch {
      return setErrors({
        url: 'The browser could not store this. Delete the stored audits below, and save again.',
      })
    }
    // From now on the field follows the stored value, also from another window.
    setTyped({})
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
    // The result of a test does not apply to a connection that another window stored since.
    test: isSaved ? test.task : IDLE,
    save,
    forget,
    keptKeyEnd: kept.key === '' ? null : keyEnd(kept.key),
    isKept: kept.url !== '',
  }
}
