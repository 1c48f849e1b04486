import { readFile } from 'node:fs/promises'

/** A user without rights, by its numbers; null: as we are. */
export type PlainAccount = { uid: number; gid: number } | null

/** Root runs what it tests as `nobody`. Any other user is plain already. */
export async function findPlainAccount(): Promise<PlainAccount> {
  if (process.getuid?.() !== 0) return null
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const [, , uid, gid] =
    lines.map((line) => line.split(':')).find(([name]) => name === 'nobody') ?? []
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  throw new Error('There is no account "nobody" to run the service as. Start as another user.')
}
