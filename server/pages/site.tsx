import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { Deps } from '../deps.ts'
import type { AssetName, PageAssets } from './assets.ts'
import type { PackedExtension } from './extension/packed.ts'
import type { Decision } from './info/decisions.ts'
import type { RecipeFiles } from './tools/orders/recipe-files.ts'

/** What the pages are made of. */
export interface PageDeps extends Deps {
  /** Their style, scripts and icon. */
  assets: PageAssets
  /** For download, one per browser; empty if the extension was not packed. */
  extension: readonly PackedExtension[]
  /** Where the specification is silent. */
  decisions: readonly Decision[]
  /** How stores report their orders. */
  recipeFiles: RecipeFiles
}

/** What every page knows of the service that serves it. */
export interface PageSite {
  /** Without a trailing slash. */
  baseUrl: string
  /** The path of an asset or page, below BASE_URL. */
  asset: (name: AssetName) => string
  path: (path: string) => string
}

export function siteOf({ baseUrl, assets }: Pick<PageDeps, 'baseUrl' | 'assets'>): PageSite {
  const root = new URL(baseUrl).pathname.replace(/\/$/, '')
  const path = (path: string) => root + path
  return { baseUrl, path, asset: (name) => path(`/assets/${assets.fileOf(name)}`) }
}

export const SiteContext = createContext<PageSite>({
  baseUrl: '',
  path: (path) => path,
  asset: (name) => name,
})

export const useSite = (): PageSite => useContext(SiteContext)

interface LinkProps {
  /** A path of ours, which begins with a slash. */
  to: string
  class?: string
  /** It is kept as a file. */
  download?: boolean
  'aria-current'?: 'page' | 'true'
  children: ComponentChildren
}

/** A link to a page of ours. */
export function Link({ to, ...rest }: LinkProps): JSX.Element {
  return <a href={useSite().path(to)} {...rest} />
}
