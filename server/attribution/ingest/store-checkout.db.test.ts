import { expect, onTestFinished, test } from 'vitest'
import type { AisleResult } from '../../../aisle-node/index.d.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { forgetSession } from '../../db/events/forget.ts'
import { makeDueRefunds } from '../../store/ops/refunder.ts'
import { createRepeats } from '../../store/ops/report-again.ts'
import { createReporter } from '../../store/ops/reporter.ts'
import { requestRefund } from '../../store/orders/refunds.ts'
import { acpAgent, NOON, testStore } from '../../store/testing/store.ts'
import { testApp } from '../../testing/app.ts'
import { onLoopback } from '../../testing/on-loopback.ts'

test('what is bought and refunded in the reference store arrives in the report', async () => {
  const aisle = await testApp({ now: () => NOON })
  const { origin, close } = await onLoopback(aisle.app)
  onTestFinished(close)

  const results: AisleResult[] = []
  const refusals: string[] = []
  const reporter = createReporter({
    url: origin,
    key: aisle.key,
    count: (result) => results.push(result),
    onRefused: (message) => refusals.push(message),
    fetcherOptions: { userAgent: 'Store/1' },
  })
  onTestFinished(() => reporter.stop(0))
  const shop = await testStore({}, { report: reporter.report })
  const agent = acpAgent((method, path, body) => shop.send(method, path, body))
  const checkout = await agent.open()
  const { said } = await agent.complete(checkout)
  expect(said.status).toBe('confirmed')

  await eventually(() => results).toEqual(['sent', 'sent'])
  expect(refusals).toEqual([])
  const events = await aisle.sql`
    select event, domain, source, session_id, value::int, currency from events order by id`
  expect(events).toMatchObject([
    { event: 'ai_checkout_initiated', domain: 'shop.example', source: 'acp', session_id: checkout },
    {
      event: 'ai_checkout_completed',
      session_id: checkout,
      value: said.total.amount,
      currency: said.total.currency,
    },
  ])
  const summaryNow = async () => {
    const answer = await aisle.ask(
      '/api/report?domain=shop.example&start=2026-06-01&end=2026-06-01',
    )
    return (await answer.json()).summary
  }
  const summary = await summaryNow()
  expect(summary).toMatchObject({
    ai_sessions: 1,
    ai_checkouts: 1,
    ai_orders: 1,
    ai_revenue_cents: said.total.amount,
  })

  await requestRefund(shop.deps, said.order_id, { key: 'a', amount: 1250 })
  const errors: unknown[] = []
  await makeDueRefunds(shop.deps, (error) => errors.push(error))
  // As a store does when it starts anew.
  await createRepeats(shop.deps).reportAgain()
  await eventually(() => results).toEqual(Array(5).fill('sent'))
  expect([errors, refusals]).toEqual([[], []])
  expect(await summaryNow()).toEqual({
    ...summary,
    ai_refunds: 1,
    ai_refunded_cents: 1250,
    ai_net_revenue_cents: said.total.amount - 1250,
  })

  await forgetSession(aisle.db, 'shop.example', checkout)
  await createRepeats(shop.deps).reportAgain()
  await eventually(() => results).toEqual(Array(7).fill('sent'))
  expect(await summaryNow()).toMatchObject({ ai_sessions: 0, ai_orders: 0 })
  expect(await aisle.sql`select from events`).toHaveLength(0)
})
