import { useEffect, useState } from 'preact/hooks'

/** The time in milliseconds, told again every second until the moment `until` has passed. */
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
