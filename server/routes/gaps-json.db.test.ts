import { expect, test } from 'vitest'
import { GAP_RULES } from '../../shared/audit/checks/index.ts'
import { GapRecord } from '../../shared/audit/gap/record.ts'
import { explainCommand } from '../commands/explain.ts'
import { readTerminal } from '../commands/testing/read-terminal.ts'
import { testApp } from '../testing/app.ts'

const { app } = await testApp()
const answer = await app.request('/gaps.json')
const { engine_version, gaps } = await answer.json()

test('every rule stands in /gaps.json, for anyone and any cache', async () => {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toContain('public')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const headers = { 'If-None-Match': answer.headers.get('etag') ?? '' }
  expect((await app.request('/gaps.json', { headers })).status).toBe(304)
  expect(engine_version).toMatch(/^\d+$/)
  expect(gaps.map(({ id }: GapRecord) => id)).toEqual(GAP_RULES.map(({ gap }) => gap))
  for (const { page_url, ...record } of gaps) {
    expect(page_url).toBe(`https://aisle.example/gaps/${record.id}`)
    expect(GapRecord.strict().parse(record)).toEqual(record)
  }
})

test('points are by severity, within what the thing is worth', () => {
  for (const { id, points } of gaps as GapRecord[]) {
    expect(points.cost, id).toBeGreaterThan(0)
    expect(points.cost, id).toBeLessThanOrEqual(points.of)
  }
})

test('aisle explain says the same', () => {
  const { terminal, read } = readTerminal()
  const explain = (id?: string) => {
    explainCommand(id, { json: true }, terminal)
    return JSON.parse(read())
  }
  const records = gaps.map(({ page_url: _, ...record }: GapRecord & { page_url: string }) => record)
  expect(explain()).toEqual(records)
  expect(explain('catalog_empty')).toMatchObject(
    records.find(({ id }: GapRecord) => id === 'catalog_empty'),
  )
})
