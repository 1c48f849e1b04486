import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'server/pages/tools/orders/code'

/** The code that recipes show, by its path below their folder. */
export const collectRecipeCode = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .map((path) => [
        path.slice(FOLDER.length + 1).replaceAll('\\', '/'),
        readFileSync(path, 'utf8'),
      ]),
  )
