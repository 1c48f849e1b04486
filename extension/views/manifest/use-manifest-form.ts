import { useEffect, useRef, useState } from 'preact/hooks'
import { declaredRequest } from '../../../shared/manifest/declared-request.ts'
import {
  errorsAt,
  type FieldErrors,
  type ManifestValues,
  readManifestForm,
  valuesFrom,
} from '../../../shared/manifest/form.ts'
import { fileText } from '../../../shared/manifest/generate.ts'
import type { ManifestRequest } from '../../../shared/manifest/manifest.ts'
import type { Result } from '../../api/result.ts'
import { readPublishedManifest } from '../../browser/tab.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { useTask } from '../tasks/use-task.ts'
import { type BuiltFile, buildFile } from './local-manifest.ts'

/**
 * The form's values, their errors, and the file made of them. Until something is typed, the form
 * follows the open page and its store's published file, which is requested once per store, and only
 * while the form is shown.
 */
export function useManifestForm() {
  const { server, page, view } = useApp()
  const [values, setValues] = useState<ManifestValues>(() => valuesFrom({}))
  const [isTouched, setTouched] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { task, start, cancel, forget } = useTask<BuiltFile>()
  const { domain } = page
  const tabId = page.tab?.id ?? null
  const isShown = view === 'manifest'
  const filledFor = useRef<string | null>(null)

  useEffect(() => {
    if (domain === null || isTouched || !isShown || filledFor.current === domain) return
    let isCurrent = true
    const fill = (document: unknown) => {
      if (!isCurrent) return
      setValues(({ format }) =>
        valuesFrom({ ...declaredRequest(document, domain), domain, format }),
      )
    }
    // The values and errors belong to another store, and so would the file that is being made. A
    // finished file stays: it names its store.
    filledFor.current = null
    setErrors({})
    cancel()
    fill(undefined)
    if (tabId !== null) {
      void readPublishedManifest(tabId).then((document) => {
        fill(document)
        if (isCurrent) filledFor.current = domain
      })
    }
    return () => {
      isCurrent = false
    }
  }, [domain, tabId, isTouched, isShown])

  const change = (changed: Partial<ManifestValues>) => {
    // A format alone says nothing about a store: the form keeps following the page.
    if (Object.keys(changed).some((name) => name !== 'format')) setTouched(true)
    setValues((before) => ({ ...before, ...changed }))
  }
  const build = () => {
    const read = readManifestForm(values)
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) return forget()
    start(async (signal) => {
      const built = await make(server, read.request, signal)
      if (!built.ok && !signal.aborted) setErrors(errorsAt(built.failure.details))
      return built
    })
  }
  return { values, change, errors, task, build }
}

async function make(
  server: Server | null,
  request: ManifestRequest,
  signal: AbortSignal,
): Promise<Result<BuiltFile>> {
  if (server === null) return { ok: true, value: buildFile(request, new Date()) }
  const built = await server.api.buildManifest(request, signal)
  if (!built.ok) return built
  const { manifest, warnings } = built.value
  return {
    ok: true,
    value: { domain: request.domain, text: fileText(manifest), warnings, server: server.name },
  }
}
