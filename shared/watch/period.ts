import * as z from 'zod'
import { DAY_MS } from '../web/moment.ts'

const HOUR_MS = DAY_MS / 24

/** How often a watched domain is checked. */
export const CHECK_PERIODS = ['hourly', 'six_hourly', 'daily', 'weekly'] as const
export const CheckPeriod = z.enum(CHECK_PERIODS)
export type CheckPeriod = z.infer<typeof CheckPeriod>

/** The length of each in milliseconds. */
export const PERIOD_MS: Readonly<Record<CheckPeriod, number>> = {
  hourly: HOUR_MS,
  six_hourly: 6 * HOUR_MS,
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
}

/**
 * One check in each period: when the period begins, when the check is due, and from when it is
 * late.
 */
export interface Slot {
  slot_at: Date
  next_at: Date
  late_at: Date
}

/**
 * The period that a moment is in. Periods begin at multiples of their length since 1970. The due
 * time within one depends only on the domain, so that checks are spread evenly and a store gets
 * them at a steady pace. The last tenth stays free, so that a late check is still within its
 * period.
 */
export function slotAt(domain: string, period: CheckPeriod, moment: Date): Slot {
  const ms = PERIOD_MS[period]
  return slotFrom(domain, period, Math.floor(moment.getTime() / ms) * ms)
}

/**
 * The next period after a check, and not before that of `now`. A requested check has its own time
 * as `slot_at`: the check of its period follows if it was not due yet, so that two checks are never
 * more than a period apart.
 */
export function nextSlot(domain: string, period: CheckPeriod, slot_at: Date, now: Date): Slot {
  const ms = PERIOD_MS[period]
  const start = Math.floor(slot_at.getTime() / ms) * ms
  const own = slotFrom(domain, period, start)
  const isToCome = slot_at.getTime() !== start && own.next_at > slot_at
  const following = isToCome ? own : slotFrom(domain, period, start + ms)
  const current = slotAt(domain, period, now)
  return following.slot_at >= current.slot_at ? following : current
}

function slotFrom(domain: string, period: CheckPeriod, start: number): Slot {
  const ms = PERIOD_MS[period]
  const next = start + Math.floor(ms * 0.9 * placeOf(`${domain} ${period}`))
  return { slot_at: new Date(start), next_at: new Date(next), late_at: new Date(next + ms / 10) }
}

/** From 0 to 1, evenly spread over names: 32-bit FNV-1a with the finalizer of MurmurHash3. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
