import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** `/proc/<pid>/stat` and `statm` (proc(5)); null for one that has ended, waited for or not. */
async function readProcess(name: string): Promise<Relative | null> {
  try {
    const [stat, memory] = await Promise.all([
      readFile(`/proc/${name}/stat`, 'latin1'),
      readFile(`/proc/${name}/statm`, 'latin1'),
    ])
    // The command's name, in brackets, may hold blanks and brackets.
    const [state, parent = '', group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
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
  await ended(family.map((member) => member.pid))
}

/** Ends all that a process started, and not itself. */
export async function endChildren(pid: number): Promise<void> {
  const children = (await familyOf(pid)).filter((each) => each.pid !== pid)
  for (const each of children) signal(each.pid)
  await ended(children.map((each) => each.pid))
}

const MOST_ENDING_MS = 3_000
const LOOK_MS = 20

/** Killed processes may go on for a moment, and write. */
async function ended(pids: readonly number[]): Promise<void> {
  const until = performance.now() + MOST_ENDING_MS
  const isAlive = async (pid: number) => (await readProcess(String(pid))) !== null
  while (performance.now() < until) {
    const alive = await Promise.all(pids.map(isAlive))
    if (!alive.includes(true)) return
    await sleep(LOOK_MS)
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
