import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { NEW_TAB } from '../Action.tsx'

/** The size of the window that is pictured. */
const PICTURE_VIEW = { width: 1280, height: 900 }

/** The address of a picture of the walk that is shown, by its path; without it none is shown. */
export const PicturesContext = createContext<((path: string) => string) | undefined>(undefined)

interface WalkPictureProps {
  path: string
  alt: string
  /** What is drawn over it, in its own pixels. */
  children?: JSX.Element[]
}

/** A picture of a page that a walk opened, and a link to it in full. */
export function WalkPicture({ path, alt, children }: WalkPictureProps): JSX.Element | null {
  const src = useContext(PicturesContext)?.(path)
  const { width, height } = PICTURE_VIEW
  return src === undefined ? null : (
    <a class="walk-picture" href={src} {...NEW_TAB}>
      <img src={src} width={width} height={height} loading="lazy" alt={alt} />
      {children !== undefined && (
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {children}
        </svg>
      )}
    </a>
  )
}
