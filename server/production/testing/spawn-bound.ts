import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/**
 * Starts a program that ends with us, however we end: a run that is interrupted leaves nothing
 * behind (prctl(2), PR_SET_PDEATHSIG). `last` is the signal that it gets then.
 */
export const spawnBound = (
  [command = '', ...args]: readonly string[],
  options: SpawnOptions,
  last: 'TERM' | 'INT' = 'TERM',
): ChildProcess => spawn('/usr/bin/setpriv', ['--pdeathsig', last, '--', command, ...args], options)
