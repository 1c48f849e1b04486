import { readFile } from 'node:fs/promises'

/** Of Linux, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100

/** What a process has used, in seconds, by proc_pid_stat(5); 0 where it cannot be read. */
export async function secondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name, which may hold spaces: utime and stime are the 14th and the 15th of all.
  const [, after = ''] = text.split(') ')
  const fields = after.split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}
