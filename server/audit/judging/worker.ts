import { parentPort } from 'node:worker_threads'
import { answerTasks } from './answer-tasks.ts'
import { giveWay } from './priority.ts'

giveWay()
if (parentPort) answerTasks(parentPort)
