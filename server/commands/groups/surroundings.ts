import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What the program gives its commands. A command's own code is imported when it runs. */
export interface Surroundings {
  version: string
  terminal: Terminal
  config: () => Promise<Config>
  env: NodeJS.ProcessEnv
  now: () => Date
  /** The environment of a step on a runner of GitHub Actions. */
  runner: { summary: string | undefined; output: string | undefined }
  /** Works on the database of the service, which may be running meanwhile. */
  withDatabase: (work: (db: Db) => Promise<void>) => Promise<void>
  /** The same on that of the store. */
  withStore: (work: (db: Db) => Promise<void>) => Promise<void>
  /** The tables of the service or of the store. */
  withSchema: (isStore: boolean, work: (schema: Schema) => Promise<void>) => Promise<void>
}
