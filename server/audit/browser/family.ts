import { readdir, readFile } from 'node:fs/promises'

interface Relative {
  pid: number
  parent: number
  group: number
  /** Bytes that it holds for itself: what it shares is counted by none. */
  own: number
}

const PAGE_BYTES = 4096

/**
 * A process and all that it started, directly or not. Empty where the system has no `/proc`: there
 * memory is not watched.
 */
export async function familyOf(pid: number): Promise<Relative[]> {
  const pids = await readdir('/proc').catch(() => [])
  const all = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(readProcess))
  const byParent = Map.groupBy(
    all.filter((each) => each !== null),
    ({ parent }) => parent,
  )
  const self = all.find((each) => each?.pid === pid)
  const family = self ? [self] : []
  for (const { pid: of } of family) family.push(...(byParent.get(of) ?? []))
  return family
}

/** `/proc/<pid>/stat` and `statm` (proc(5)); null for one that has ended. */
async function readProcess(name: string): Promise<Relative | null> {
  try {
    const [stat, memory] = await Promise.all([
      readFile(`/proc/${name}/stat`, 'latin1'),
      readFile(`/proc/${name}/statm`, 'latin1'),
    ])
    // The command's name, in brackets, may hold blanks and brackets.
    const [, parent = '', group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, resident = 0, shared = 0] = memory.split(' ').map(Number)
    return {
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      own: (resident - shared) * PAGE_BYTES,
    }
  } catch {
    return null
  }
}

/** Ends a process, all that it started, and their groups. */
export async function endFamily(pid: number): Promise<void> {
  const family = await familyOf(pid)
  const groups = new Set([pid, ...family.map(({ group }) => group)])
  for (const group of groups) {
    if (group !== process.pid && family.some((each) => each.pid === group)) signal(-group)
  }
  for (const each of [...family.map((member) => member.pid), pid]) signal(each)
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
