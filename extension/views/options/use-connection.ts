import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { createApi, type Connection as Opened } from '../../api.ts'
import { askDataConsent } from '../../data-consent.ts'
import { apiKey, serverUrl } from '../../storage.ts'
import { useStored } from '../use-stored.ts'
import { useTask } from '../use-task.ts'
import {
  type ConnectionErrors,
  type ConnectionValues,
  keyEnd,
  readConnection,
} from './connection-form.ts'

/** The server and the key: what is typed, what is kept, and whether they work together. */
export function useConnection() {
  const keptUrl = useStored(serverUrl)
  const keptKey = useStored(apiKey)
  const [values, setValues] = useState<ConnectionValues>({ url: '', key: '' })
  const [errors, setErrors] = useState<ConnectionErrors>({})
  const test = useTask<Opened>()
  const change = (changed: Partial<ConnectionValues>) =>
    setValues((before) => ({ ...before, ...changed }))
  useEffect(() => {
    if (keptUrl !== null) setValues((before) => ({ ...before, url: keptUrl }))
  }, [keptUrl])

  const save = async () => {
    const read = readConnection(values, keptKey ?? '')
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) return test.forget()
    if (!(await askDataConsent(browser))) return setErrors({ url: 'data_not_granted' })
    const { url, key } = read.connection
    await Promise.all([serverUrl.setValue(url), apiKey.setValue(key)])
    setValues({ url, key: '' })
    const api = createApi({ baseUrl: url, key, fetch: (...request) => fetch(...request) })
    test.start((signal) => api.testConnection(signal))
  }
  const forget = async () => {
    test.forget()
    setErrors({})
    await Promise.all([serverUrl.removeValue(), apiKey.removeValue()])
    setValues({ url: '', key: '' })
  }
  return {
    values,
    change,
    errors,
    test: test.task,
    save,
    forget,
    keptKeyEnd: keptKey ? keyEnd(keptKey) : null,
    isKept: Boolean(keptUrl) || Boolean(keptKey),
  }
}
