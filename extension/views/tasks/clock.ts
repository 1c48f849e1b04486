import { useEffect, useState } from 'preact/hooks'

/** The time in milliseconds, updated every second until the moment `until` has passed. */
export function useClock(until: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (Date.now() >= until) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return now
}

// Unspecified: ages such as "audited 3 minutes ago" are updated once a minute.
const MINUTE_MS = 60_000

/**
 * The time that ages are measured from, for a panel that stays open for hours: updated every
 * minute, and when it is shown again, because browsers slow down hidden timers.
 */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const update = () => setNow(new Date())
    const timer = setInterval(update, MINUTE_MS)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return now
}

/** Whole seconds until a moment in milliseconds; 0 when it has passed. */
export const secondsLeft = (end: number, now: number): number =>
  Math.max(0, Math.ceil((end - now) / 1000))

/** `59:01`, like a countdown. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
