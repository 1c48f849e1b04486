import type { JSX } from 'preact'
import { Moment } from '../../../../shared/view/Moment.tsx'

/** When a link expires; null: when it is revoked. */
export const ShareEnd = ({ at }: { at: Date | null }): JSX.Element =>
  at === null ? (
    <>until it is revoked</>
  ) : (
    <>
      until <Moment at={at.toISOString()} />
    </>
  )
