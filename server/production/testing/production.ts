import type { PlainAccount } from './account.ts'
import type { DebianPrograms } from './debian.ts'
import type { Image } from './image.ts'

/** A cluster that was never started, which the others are copies of: initdb takes seconds. */
export interface ClusterTemplate {
  folder: string
  /** The superuser's. */
  password: string
}

/** All that the tests of the production path start from. */
export interface Production {
  image: Image
  /** The image of the commands alone. */
  cli: Image
  programs: DebianPrograms
  account: PlainAccount
  postgres: ClusterTemplate
  /** For what tests write; each makes a folder of its own in it. */
  folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A missing package fails the run rather than to skip it. */
    productionRequired: boolean
    /** How many requests the restarts of replicas have to stand. */
    requests: number
    /** Null where packages are missing, and the tests are skipped. */
    production: Production | null
  }
}
