import {
  AUDIT_PARTS,
  type AuditPart,
  type AuditProgress,
} from '../../shared/audit/result/progress.ts'

/** What an audit tells those who wait for it. */
export interface AuditListener {
  /** What it will look at. */
  begins: (parts: readonly string[]) => void
  done: (part: string) => void
  /** A request is sent; call the result when its answer is there. */
  asks: (url: string) => () => void
}

// Unspecified: an address in what is shown of an audit has at most 200 characters: a store chooses
// it.
const MOST = 200

/** Gathers what an audit tells into one state. `version` changes with it. */
export function gatherProgress(): AuditListener & {
  version: () => number
  read: () => AuditProgress
} {
  const done = new Map<AuditPart, boolean>()
  const asking = new Set<{ url: string }>()
  let requests = 0
  let version = 0
  const partsOf = (names: readonly string[]) => AUDIT_PARTS.filter((part) => names.includes(part))
  return {
    begins(names) {
      for (const part of partsOf([...names, 'judging'])) done.set(part, false)
      version += 1
    },
    done(name) {
      for (const part of partsOf([name])) if (done.has(part)) done.set(part, true)
      version += 1
    },
    asks(url) {
      const asked = { url: url.slice(0, MOST) }
      asking.add(asked)
      requests += 1
      version += 1
      return () => {
        asking.delete(asked)
        version += 1
      }
    },
    version: () => version,
    read: () => ({
      parts: [...done].map(([part, isDone]) => ({ part, done: isDone })),
      asking: [...asking].map(({ url }) => url),
      requests,
    }),
  }
}

/** Tells each change of the state to one who waits. */
export function tellProgress(tell: (seen: AuditProgress) => void): AuditListener {
  const progress = gatherProgress()
  const told = () => tell(progress.read())
  return {
    begins(parts) {
      progress.begins(parts)
      told()
    },
    done(part) {
      progress.done(part)
      told()
    },
    asks(url) {
      const end = progress.asks(url)
      told()
      return () => {
        end()
        told()
      }
    },
  }
}

/** For audits without a caller that waits. */
export const NO_LISTENER: AuditListener = { begins: () => {}, done: () => {}, asks: () => () => {} }
