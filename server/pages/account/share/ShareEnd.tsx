import type { JSX } from 'preact'
import { Moment } from '../../../../shared/view/Moment.tsx'

/** Until when a link opens; null is until its owner ends it. */
export const ShareEnd = ({ at }: { at: Date | null }): JSX.Element =>
  at === null ? (
    <>until it is ended</>
  ) : (
    <>
      until <Moment at={at.toISOString()} />
    </>
  )
