import { collectDefaultMetrics, type Registry } from 'prom-client'

/**
 * How often the delay of the event loop is measured: often enough for alerts, and next to no work.
 */
const PRECISION_MS = 20

/** Gauges that are named like counters, which `promtool check metrics` refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Memory, processor and event loop of this process, by the names that every Node process has. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: PRECISION_MS })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}
