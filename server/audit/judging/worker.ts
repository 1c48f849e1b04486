import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { answerTasks } from './answer-tasks.ts'

// Of a process id 0, Linux takes the calling thread (setpriority(2), "C library/kernel
// differences"): answers to the API go before audits. Elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

if (parentPort) answerTasks(parentPort)
