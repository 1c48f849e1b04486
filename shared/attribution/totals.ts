import * as z from 'zod'
import { isCurrency } from '../commerce/iso.ts'
import { Domain } from '../web/address/domain.ts'
import { isReportDay } from './report.ts'

// Unspecified: the AI share needs the totals of the store. A store sends one row for each day and
// currency, such as once a night, with no other orders and nothing about buyers.

/** Most rows of one call: a year of days in one currency. */
const MAX_TOTALS = 400
/** More than any store's day; ten years of it add up exactly. */
const MAX_ORDERS = 10 ** 9
const MAX_REVENUE = 10 ** 12

const Total = z.strictObject({
  date: z.iso
    .date('Send a date such as 2026-11-30.')
    .refine(isReportDay, 'Send a date from 2000-01-01 to 2999-12-31.')
    .meta({ description: 'The day, in the time zone of the property.', example: '2026-11-20' }),
  currency: z
    .string()
    .refine(isCurrency, 'Send an ISO 4217 code in capitals, such as USD.')
    .meta({ description: 'ISO 4217.', example: 'USD' }),
  orders: z.int().min(0).max(MAX_ORDERS).meta({
    description: 'All orders of the day in this currency, those of AI included.',
    example: 214,
  }),
  revenue_cents: z
    .int('Send an integer in the smallest unit of the currency, such as 4999 for 49.99.')
    .min(0)
    .max(MAX_REVENUE)
    .meta({
      description: 'What they came to, before refunds, in the smallest unit of the currency.',
      example: 1_069_786,
    }),
})

/** Body of `PUT /api/totals`: what a store sold in all. */
export const ShopTotals = z.strictObject({
  domain: Domain.meta({ description: 'The domain of the store.', example: 'shop.example' }),
  totals: z
    .array(Total)
    .min(1, 'Send at least one day.')
    .max(MAX_TOTALS, `Send at most ${MAX_TOTALS} days in one request.`)
    .meta({ description: 'A day and currency that was sent before is replaced.' }),
})
export type ShopTotals = z.infer<typeof ShopTotals>
