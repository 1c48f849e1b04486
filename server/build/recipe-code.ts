import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SURFACES } from '../../shared/attribution/surfaces.ts'

/** In the code, it stands for all assistants. */
const ONE = "{ 'chatgpt.com': 'chatgpt' }"

/** The hosts of assistants by the table of surfaces, as JavaScript. */
const ALL = `{
${SURFACES.flatMap(({ id, facts }) =>
  facts.flatMap(({ host = [] }) => host.map((each) => `  '${each}': '${id}',`)),
).join('\n')}
}`

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
        readFileSync(path, 'utf8').replace(ONE, ALL),
      ]),
  )
