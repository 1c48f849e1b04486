import { Counter, Gauge, type Registry } from 'prom-client'

/** A single value, or one for each set of labels. */
export type Samples = number | Iterable<readonly [labels: Record<string, string>, value: number]>

/** A metric that is read from its source at each scrape. */
type AddMetric = (name: string, help: string, read: () => Samples, ...labels: string[]) => void

/** Adds metrics to a registry. Their source need not know that they are metrics. */
export function samplesIn(registry: Registry): { gauge: AddMetric; counter: AddMetric } {
  const add =
    (make: typeof makeGauge | typeof makeCounter): AddMetric =>
    (name, help, read, ...labelNames) =>
      make({ name, help, labelNames, registers: [registry] }, read)
  return { gauge: add(makeGauge), counter: add(makeCounter) }
}

interface Configuration {
  name: string
  help: string
  labelNames: string[]
  registers: Registry[]
}

const listed = (samples: Samples) =>
  typeof samples === 'number' ? [[{}, samples] as const] : samples

const makeGauge = (configuration: Configuration, read: () => Samples) =>
  new Gauge({
    ...configuration,
    collect() {
      const samples = listed(read())
      this.reset()
      // Without labels a reset leaves a zero, which would look like a value.
      if (configuration.labelNames.length === 0) this.remove()
      for (const [labels, value] of samples) this.set(labels, value)
    },
  })

const makeCounter = (configuration: Configuration, read: () => Samples) =>
  new Counter({
    ...configuration,
    collect() {
      this.reset()
      for (const [labels, value] of listed(read())) this.inc(labels, value)
    },
  })
