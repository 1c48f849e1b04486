import type { JSX } from 'preact'
import { formatChange } from '../format.ts'
import { Icon } from '../Icon.tsx'
import { useLanguage } from '../language.ts'

interface ChangeProps {
  /** 0.25 is a quarter more; null from nothing. */
  change: number | null
  /** The value before, if there is room for it. */
  was?: string | undefined
  fewerIsBetter?: boolean | undefined
}

/** A figure compared with the period before, in words, with an arrow and a colour. */
export function Change({ change, was, fewerIsBetter = false }: ChangeProps): JSX.Element {
  const { locale } = useLanguage()
  if (change === 0) {
    return <span class="kpi-change quiet">{was === undefined ? 'same' : 'same as before'}</span>
  }
  const way = change === null || change > 0 ? 'up' : 'down'
  const isGood = (way === 'up') !== fewerIsBetter
  return (
    <span class={`kpi-change change ${isGood ? 'is-good' : 'is-bad'}`}>
      <Icon shape={way} />
      {change === null
        ? was === undefined
          ? 'new'
          : `was ${was}`
        : was === undefined
          ? `${way} ${formatChange(change, locale)}`
          : `${way} ${formatChange(change, locale)}, was ${was}`}
    </span>
  )
}
