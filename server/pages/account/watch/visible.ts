import type { IncidentKind } from '../../../../shared/watch/incident.ts'

/** Signals show orders, which is for keys that may read reports. */
export const isVisible = ({ kind }: { kind: IncidentKind }, mayReadReport: boolean): boolean =>
  kind !== 'signal' || mayReadReport
