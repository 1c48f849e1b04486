import { freePort } from '../../testing/free-port.ts'
import type { Cluster } from './cluster.ts'
import { createProgram, type Program } from './program.ts'
import { DOMAIN, production } from './world.ts'

/** The arguments of the image's service, with the store's program in its place. */
export const storeCommand = (): string[] => [
  ...production().image.command.slice(0, -1),
  'dist/store/main.js',
]

/** The reference store of the image, on a port of its own and under the names given. */
export async function createStore(
  cluster: Cluster,
  env: Record<string, string>,
  hosts: readonly string[] = [DOMAIN],
): Promise<Program> {
  const port = await freePort()
  return createProgram(production(), {
    port,
    readyPath: '/',
    command: storeCommand(),
    env: {
      HOST: '127.0.0.1',
      STORE_PORT: String(port),
      STORE_HOSTS: [...hosts, `127.0.0.1:${port}`].join(','),
      DATABASE_URL: cluster.url,
      ...env,
    },
  })
}
