import { expect, test } from 'vitest'
import { schemaRules } from '../../../shared/audit/checks/schema/rules.ts'
import type { AuditRequest, AuditResult } from '../../../shared/audit/result/result.ts'
import { NO_LINKS, toResult } from '../../../shared/audit/result/result.ts'
import { pass } from '../../../shared/audit/rule.ts'
import type { ApiClient } from '../../api/client.ts'
import { failed, type Result } from '../../api/result.ts'
import { askFirst } from './ask-first.ts'

const RESULT = toResult(
  'shop.example',
  ['schema'],
  schemaRules.map((rule) => ({ rule, verdict: pass() })),
  new Date('2026-11-20T10:00:00Z'),
  NO_LINKS,
)
const DONE: Result<AuditResult> = { ok: true, value: RESULT }
const OLD = { ...RESULT, checked_at: '2026-11-01T10:00:00.000Z' }
const STORED: Result<AuditResult> = { ok: true, value: OLD }
const NONE = failed('not_found', 'No stored audit.', { code: 'no_cached_audit' })
const OTHER = failed('not_found', 'Nothing is here.', { code: 'not_found' })

const ask = (audit: ApiClient['audit'], found: (stored: AuditResult) => void) =>
  askFirst({ audit }, 'shop.example', new AbortController().signal, found)

test.each([
  ['a stored result is shown first', [STORED, DONE], [true, undefined], [OLD], DONE],
  ['without one the shop is audited', [NONE, DONE], [true, undefined], [], DONE],
  ['another failure ends it', [OTHER], [true], [], OTHER],
  ['as does one of the audit', [STORED, OTHER], [true, undefined], [OLD], OTHER],
])('%s', async (_, answers, dryRuns, shown, outcome) => {
  const found: AuditResult[] = []
  const asked: AuditRequest[] = []
  const audit = async (request: AuditRequest) => {
    asked.push(request)
    return answers[asked.length - 1] ?? OTHER
  }
  expect(await ask(audit, (stored) => found.push(stored))).toBe(outcome)
  expect(found).toEqual(shown)
  expect(asked.map(({ dry_run }) => dry_run)).toEqual(dryRuns)
  expect(asked.every(({ domain }) => domain === 'shop.example')).toBe(true)
})
