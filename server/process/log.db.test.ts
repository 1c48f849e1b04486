import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { LOG_LEVELS } from '../config.ts'
import { testDatabase } from '../testing/app.ts'
import { createLog } from './log.ts'

const { db, sql: pool } = await testDatabase()
const lines: string[] = []
const log = createLog({ write: (line) => lines.push(line) })

test('a statement that fails is logged with its code, and without what it was given', async () => {
  const insert = sql`insert into properties (id, domain) values (${'a: visitor_1'}, ${'shop.example'})`
  const [wrapped, bare] = await Promise.all([
    db.execute(insert).catch((err: unknown) => err),
    pool`insert into properties (id, domain) values (${'visitor_1'}, ${'shop.example'})`.catch(
      (err: unknown) => err,
    ),
  ])
  for (const err of [wrapped, bare]) {
    // Otherwise this shows nothing.
    expect(JSON.stringify(Object(err).detail ?? Object(err).params)).toContain('visitor_1')
    log.error({ err }, 'not stored')
    const line = lines.pop() ?? ''
    expect(line).not.toContain('visitor_1')
    const logged = JSON.parse(line)
    expect(logged).toMatchObject({ msg: 'not stored', err: { code: '23502' } })
    expect(logged.err.message).toContain('violates not-null constraint')
    expect(logged.err.stack).toMatch(/\n {4}at /)
  }
})

test('an error is logged with its causes; what is none, as it is', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  log.warn({ err: new Error('no answer', { cause }) })
  expect(JSON.parse(lines.pop() ?? '').err).toMatchObject({
    type: 'Error',
    code: 'ECONNREFUSED',
    message: 'no answer: refused',
  })
  const circle = new Error('round')
  circle.cause = circle
  log.warn({ err: circle })
  expect(JSON.parse(lines.pop() ?? '').err.message).toContain('round')
  log.warn({ err: 'thrown text' })
  expect(JSON.parse(lines.pop() ?? '').err).toBe('thrown text')
})

test('what a stranger wrote steers no terminal, and is read from the line as it was', () => {
  const text = 'a\u001b[2J\u009b31m\u202e\u2066\u2028b'
  log.warn({ err: new Error(text), text }, text)
  const line = lines.pop() ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  expect(JSON.parse(line)).toMatchObject({ err: { message: text }, text, msg: text })
})

test('a level writes its own lines and graver ones', () => {
  const own: string[] = []
  const leveled = createLog({ write: (line) => own.push(line) })
  const wordsAt = (level: string) => {
    leveled.level = level
    for (const each of LOG_LEVELS) leveled[each](each)
    return own.splice(0).map((line) => JSON.parse(line).msg)
  }
  for (const [n, level] of LOG_LEVELS.entries()) {
    expect(wordsAt(level)).toEqual(LOG_LEVELS.slice(0, n + 1))
  }
})
