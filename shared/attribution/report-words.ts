/** The figures of a report in their order, as page, panel and mail name them. */
export const METRIC_NAMES = {
  revenue: 'AI revenue',
  orders: 'AI orders',
  sessions: 'AI sessions',
  conversion: 'Conversion',
  order_value: 'Average order value',
  failed: 'Failed checkouts',
}

/** What a report answers, in its order. */
export const QUESTIONS = {
  growth: 'Is it growing?',
  money: 'Which AI brings me money?',
  converts: 'What converts?',
}
