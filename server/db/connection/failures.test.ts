import { expect, test } from 'vitest'
import { toEventError } from '../../attribution/ingest/event-errors.ts'
import {
  isDatabaseUnavailable,
  isPartitionMissing,
  isTransactionConflict,
  isValueRefused,
} from './failures.ts'

const failure = (code: string, routine = '') =>
  Object.assign(new Error('in the words of any language'), { code, routine })

test.each([
  ['a deadlock', failure('40P01'), { crossed: true, away: true, status: 503 }],
  [
    'transactions that cannot be put in a row',
    failure('40001'),
    { crossed: true, away: true, status: 503 },
  ],
  ['a lock that is not given', failure('55P03'), { crossed: true, away: true, status: 503 }],
  ['too many connections', failure('53300'), { away: true, status: 503 }],
  ['no connection', failure('ECONNREFUSED'), { away: true, status: 503 }],
  ['a connection that is gone', failure('CONNECTION_CLOSED'), { away: true, status: 503 }],
  ['a connection that broke', failure('08006'), { away: true, status: 503 }],
  ['a server that stops', failure('57P01'), { away: true, status: 503 }],
  ['a key that no index holds', failure('54000'), { refused: true, status: 422 }],
  ['a missing partition', failure('23514', 'ExecFindPartition'), { missing: true, status: 503 }],
  ['a check', failure('23514', 'ExecConstraints'), { refused: true, status: 422 }],
  ['a number out of range', failure('22003'), { refused: true, status: 422 }],
  ['a fault of ours', failure('42601'), { status: undefined }],
  ['no error', 'no partition of relation', { status: undefined }],
])('%s', (_, error, expected) => {
  expect({
    crossed: isTransactionConflict(error),
    away: isDatabaseUnavailable(error),
    missing: isPartitionMissing(error),
    refused: isValueRefused(error),
    status: toEventError(error)?.status,
  }).toEqual({ crossed: false, away: false, missing: false, refused: false, ...expected })
})
