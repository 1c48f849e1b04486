import { collectDefaultMetrics, type Registry } from 'prom-client'

/** How often the delay of the event loop is measured: enough for alerts, at nearly no cost. */
const PRECISION_MS = 20

/** Gauges with names of counters, which `promtool check metrics` refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Memory, processor and event loop of this process, under the usual names of Node processes. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: PRECISION_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}
