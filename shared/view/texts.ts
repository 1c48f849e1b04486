/**
 * Every text of the components, in English. `$1` to `$9` stand for values, as in the messages of
 * browser extensions, so that a translated table can take its place (`LanguageContext`).
 */
export const TEXTS = {
  // Score
  score_label: 'Score $1 of 100, grade $2',
  score_label_page: 'This page: $1 of 100',
  coverage: 'Judged $1 of $2 checks',
  cap_critical_gap: 'At most $1 while a critical gap is open.',
  cap_checkout_not_judged: 'At most $1 until an agent’s checkout is seen to work.',
  cap_not_all_judged: 'At most $1 until everything can be judged.',
  checked: 'Checked $1',
  change_points_up: 'up $1 since $2',
  change_points_down: 'down $1 since $2',
  change_points_none: 'unchanged since $1',
  count_critical: '$1 critical',
  count_high: '$1 high',
  count_medium: '$1 medium',
  count_low: '$1 low',
  count_none: 'No gaps',
  not_judged: 'not judged',
  breakdown: 'Score by area',
  discoverability: 'Discoverability',
  catalog: 'Catalog',
  checkout: 'Checkout',
  attribution: 'Attribution',
  severity_critical: 'Critical',
  severity_high: 'High',
  severity_medium: 'Medium',
  severity_low: 'Low',

  // Gaps
  gaps_none: 'No gaps found.',
  gap_points: '+$1',
  gap_points_none: 'under +1',
  gap_points_why: 'Closing this gap alone adds at least this much to the score.',
  gap_points_held: 'This counts once the score is no longer capped.',
  gap_evidence: 'What was found',
  gap_fix: 'What to do',
  gap_fix_link: 'Fix it',
  gap_docs_link: 'Read about this gap',
  gap_show: 'Show on page',
  gap_copy: 'Copy the fix',
  origin_page: 'Open page',
  origin_server: 'Server',
  origin_both: 'Page and server',
  passed: 'Passed ($1)',
  passed_none: 'Nothing passed yet.',
  skipped: 'Not judged ($1)',
  skipped_why: 'These could not be checked, so they do not add to the score.',

  // History
  history: 'Score history',
  history_caption: 'Audits, newest first',
  history_none: 'No audits yet.',
  history_line: 'Score over $1 audits: first $2, last $3.',
  date: 'Date',
  score: 'Score',
  change: 'Change',
  same: 'same',
  other_measure: 'not comparable',
  points_up: '$1 up',
  points_down: '$1 down',
  compared: 'Since the last audit',
  compared_up: 'The score rose by $1.',
  compared_down: 'The score fell by $1.',
  compared_same: 'The score did not change.',
  fixed: 'Fixed ($1)',
  fresh: 'New ($1)',
  remaining: 'Still open ($1)',

  // Report: figures
  revenue: 'AI revenue',
  orders: 'AI orders',
  sessions: 'AI sessions',
  conversion: 'Conversion',
  order_value: 'Average order value',
  failed: 'Failed checkouts',
  figures: 'Figures',
  figure_up: 'up $1, was $2',
  figure_down: 'down $1, was $2',
  figure_same: 'same as before',
  figure_from_nothing: 'was $1',

  // Report: chart
  chart_by_day: '$1 by day',
  chart_by_week: '$1 by week',
  chart_by_month: '$1 by month',
  chart_about: '$1, from $2 to $3. Highest: $4, $5.',
  chart_nothing: '$1, from $2 to $3. Nothing was recorded.',
  chart_previous: 'Previous period',
  chart_current: 'This period',
  chart_incomplete: 'In progress',
  chart_table: 'Show the numbers',
  chart_point: '$1: $2',
  chart_point_before: '$1: $2 (before: $3)',

  // Report: parts
  funnel: 'From product to order',
  funnel_caption: 'Steps of AI checkouts',
  funnel_viewed: 'Products viewed',
  funnel_initiated: 'Checkouts started',
  funnel_completed: 'Orders',
  funnel_failed: 'Failed checkouts: $1',
  step: 'Step',
  count: 'Count',
  rate: '% of previous step',
  surfaces: 'AI surfaces',
  surfaces_caption: 'Sessions, orders and revenue by AI surface',
  surface: 'Surface',
  share: '$1 of sessions',
  other_ai: 'Other AI',
  kind_referral: '$1 clicked a link',
  kind_agent: '$1 by an agent',
  kind_protocol: '$1 over a protocol',
  column_sessions: 'Sessions',
  column_orders: 'Orders',
  column_conversion: 'Conversion',
  column_revenue: 'Revenue',
  sources: 'Where they checked out',
  sources_caption: 'Sessions, orders and revenue by kind of checkout',
  source: 'Checkout',
  source_ucp: 'UCP',
  source_ucp_about: 'the agent pays through the UCP endpoints',
  source_acp: 'ACP',
  source_acp_about: 'the agent pays through the ACP endpoints',
  source_web: 'Your own checkout',
  source_web_about: 'the visitor pays on your site',
  currencies: 'Revenue by currency',
  currencies_caption: 'Orders and revenue by currency. Currencies are never added together.',
  currency: 'Currency',
  currency_shown: 'shown above',
  period: '$1 to $2',
  download_csv: 'Download CSV',

  // Report: range
  range: 'Period',
  range_presets: 'Preset periods',
  range_start: 'From',
  range_end: 'To',
  range_granularity: 'By',
  range_day: 'Day',
  range_week: 'Week',
  range_month: 'Month',
  range_compare: 'Compare with the previous period',
  range_currency: 'Currency',
  range_show: 'Show',
  preset_last_7: 'Last 7 days',
  preset_last_28: 'Last 28 days',
  preset_last_90: 'Last 90 days',
  preset_month: 'This month',
  preset_year: 'This year',

  // Report: set aside
  set_aside_title: 'Sessions set aside: $1',
  set_aside_why:
    'More arrived than visitors of a shop send, so they are probably not real. No figure below includes them. Orders and revenue come from your server and always count.',
  set_aside_day: '$1: $2',
  set_aside_by_address: '$1 over the limit for one address',
  set_aside_by_network: '$1 over the limit for one network',
  set_aside_by_property: '$1 over the limit for one property',
  set_aside_more: 'Days with fewer: $1',

  // Report: nothing yet
  empty_title: 'No AI sessions yet',
  empty_lead: 'Nothing was reported for $1 in this period. Three steps get you the first numbers.',
  empty_snippet: 'Put the snippet on your storefront',
  empty_snippet_why: 'It detects visits that come from AI assistants.',
  empty_snippet_action: 'Get the snippet',
  empty_events: 'Report checkouts from your server',
  empty_events_why: 'Orders and revenue come from your server only, never from a browser.',
  empty_events_action: 'See how',
  empty_test: 'Send a test event',
  empty_test_why: 'It shows immediately whether the connection works.',
  empty_test_action: 'Send a test event',

  // Everywhere
  copy: 'Copy',
  copied: 'Copied',
  optional: 'optional',
  request_id: 'Request $1',
  notice_info: 'Note',
  notice_success: 'Done',
  notice_warning: 'Warning',
  notice_error: 'Error',
} as const satisfies Record<string, string>

export type TextKey = keyof typeof TEXTS

/** Gives the text of a key, with its values filled in. */
export type TextOf<Key extends string> = (key: Key, ...values: (string | number)[]) => string

/**
 * Looks texts up in a table. `$1` to `$9` become the values, which are put in as they are, whatever
 * they hold; a placeholder without a value becomes nothing.
 */
export const textsFrom =
  <Key extends string>(table: Readonly<Record<Key, string>>): TextOf<Key> =>
  (key, ...values) =>
    table[key].replace(/\$([1-9])/g, (_, place: string) => String(values[Number(place) - 1] ?? ''))
