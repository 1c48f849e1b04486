import type { ComponentChildren, JSX } from 'preact'
import type { AssetName } from './assets.ts'
import { Link, useSite } from './site.tsx'

export interface LayoutProps {
  title: string
  /** One sentence, for search results and previews. */
  description?: string | undefined
  scripts?: readonly AssetName[] | undefined
  styles?: readonly AssetName[] | undefined
  /** The path of the page, for the navigation. */
  current: string
  isSignedIn: boolean
  /** Seconds after which a browser without scripts reloads the page. */
  reloadsWithoutScripts?: number | undefined
  children: ComponentChildren
}

const NAVIGATION = [
  ['/shop', 'Store'],
  ['/tools', 'Tools'],
  ['/gaps', 'Gaps'],
  ['/report', 'Report'],
  ['/properties', 'Properties'],
  ['/audits', 'Audits'],
  ['/watches', 'Watches'],
  ['/walks', 'Walks'],
  ['/help', 'Help'],
  ['/docs', 'API'],
] as const

export function Layout(props: LayoutProps): JSX.Element {
  const { title, description, scripts = [], styles = [], current, isSignedIn, children } = props
  const { reloadsWithoutScripts } = props
  const { asset, path } = useSite()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {description !== undefined && <meta name="description" content={description} />}
        <title>{title === 'Aisle' ? title : `${title} · Aisle`}</title>
        <link rel="icon" type="image/svg+xml" href={asset('favicon.svg')} />
        {[...styles, 'style.css' as const].map((name) => (
          <link key={name} rel="stylesheet" href={asset(name)} />
        ))}
        {scripts.map((name) => (
          <script key={name} defer src={asset(name)} />
        ))}
        {reloadsWithoutScripts !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(reloadsWithoutScripts)} />
          </noscript>
        )}
      </head>
      <body class="site">
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        <header class="site-header">
          <Link to="/" class="brand">
            <img src={asset('favicon.svg')} alt="" width="24" height="24" />
            Aisle
          </Link>
          <nav aria-label="Main">
            <ul>
              {NAVIGATION.map(([to, label]) => (
                <li key={to}>
                  <Link to={to} {...currentOf(to, current)}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          {isSignedIn ? (
            <form method="post" action={path('/sign-out')} class="sign-out">
              <Link to="/keys">Keys</Link>
              <button type="submit" class="button button-small">
                Sign out
              </button>
            </form>
          ) : (
            <Link to="/sign-in" class="button button-small">
              Sign in
            </Link>
          )}
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <footer class="site-footer">
          <p>Aisle checks whether AI agents can find, understand and buy from a store.</p>
          <ul>
            <li>
              <Link to="/help">Get a key</Link>
            </li>
            <li>
              <Link to="/routes">Routes to market</Link>
            </li>
            <li>
              <Link to="/standards">Standards</Link>
            </li>
            <li>
              <Link to="/openapi.json">OpenAPI</Link>
            </li>
            <li>
              <Link to="/llms.txt">llms.txt</Link>
            </li>
          </ul>
        </footer>
      </body>
    </html>
  )
}

/** A page below is in its section, but is not the section itself. */
function currentOf(path: string, current: string): { 'aria-current'?: 'page' | 'true' } {
  if (current === path) return { 'aria-current': 'page' }
  return current.startsWith(`${path}/`) ? { 'aria-current': 'true' } : {}
}
