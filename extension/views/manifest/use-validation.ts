import { useState } from 'preact/hooks'
import type { ManifestValidation } from '../../../shared/manifest/validation.ts'
import { useApp } from '../app/app-state.ts'
import type { Server } from '../app/server.ts'
import { useTask } from '../tasks/use-task.ts'
import { readPasted, validateLocally } from './local-manifest.ts'

/** A validated file: its address, or null for a pasted one; whether a server validated it. */
export interface Judged {
  url: string | null
  isLocal: boolean
  validation: ManifestValidation
}

/** Validates the published file of a domain through the server, a pasted one here. */
export function useValidation() {
  const { server } = useApp()
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  /** The store whose published file was last requested: no longer the open one, if that changed. */
  const [asked, setAsked] = useState<string | null>(null)
  const { task, start, forget } = useTask<Judged>()

  const validatePublished = ({ api }: Server, domain: string) => {
    const url = `https://${domain}/.well-known/ucp`
    setProblem(null)
    setAsked(domain)
    start(async (signal) => {
      const answer = await api.validateManifest({ url }, signal)
      return answer.ok
        ? { ok: true, value: { url, isLocal: false, validation: answer.value } }
        : answer
    })
  }
  const validatePasted = () => {
    const read = readPasted(pasted)
    setProblem('problem' in read ? read.problem : null)
    if ('problem' in read) return forget()
    const validation = validateLocally(read.document)
    start(async () => ({ ok: true, value: { url: null, isLocal: true, validation } }))
  }
  // Uses the current server: it may have been corrected in the options meanwhile.
  const retry =
    server === null || asked === null ? undefined : () => validatePublished(server, asked)
  return { server, pasted, setPasted, problem, task, validatePublished, validatePasted, retry }
}
