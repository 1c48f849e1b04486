import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { testVisitOf } from '../../../../shared/attribution/property.ts'
import { isPropertyId } from '../../../attribution/properties.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { KEPT_SHORTLY } from '../../../http/kept-text.ts'
import { renderPage } from '../../render-page.tsx'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { findOwnDomain, findOwnProperty } from '../own-property.ts'
import { RecipeListPage } from './RecipeListPage.tsx'
import { RecipePage } from './RecipePage.tsx'
import { DOWNLOADS } from './recipe-files.ts'
import { findRecipe } from './recipes.ts'

/** Shown in the code until a property is known. */
const NAMES = { domain: 'shop.example', id: 'prop_YOUR_PROPERTY_ID' }

/** `/tools/orders`: a recipe for each platform, and the package that some of them install. */
export function orderRoutes(deps: PageDeps) {
  const { db, baseUrl, recipeFiles } = deps
  const site = siteOf(deps)
  const headers = { 'Cache-Control': 'no-store' }
  /** The property of the key that `knowViewer` found, of the requested domain if there is one. */
  const ownProperty = (c: Context<ServerEnv>) =>
    findOwnProperty(db, c.get('key') ?? null, c.req.query('domain'))
  /** Also of a store that has no property yet. */
  const ownDomain = (c: Context<ServerEnv>) =>
    findOwnDomain(db, c.get('key') ?? null, c.req.query('domain'))
  const app = new OpenAPIHono<ServerEnv>()
  app.get('/tools/orders', async (c) => {
    return renderPage(
      c,
      site,
      {
        title: 'Join orders to visits',
        description: 'How a store reports its orders, one page for each platform.',
        headers,
      },
      <RecipeListPage domain={await ownDomain(c)} />,
    )
  })
  app.get('/tools/orders/:platform', async (c) => {
    const recipe = findRecipe(c.req.param('platform'))
    if (recipe === null) return c.notFound()
    const own = await ownProperty(c)
    const asked = c.req.query('id') ?? ''
    const id = isPropertyId(asked) ? asked : own?.id
    const domain = own?.domain ?? (await ownDomain(c))
    return renderPage(
      c,
      site,
      {
        title: `Join orders to visits: ${recipe.platform}`,
        description: recipe.summary,
        scripts: ['copy.js'],
        headers,
      },
      <RecipePage
        recipe={recipe}
        code={recipeFiles.code}
        names={{
          ...NAMES,
          baseUrl,
          ...(domain !== undefined && { domain }),
          ...(own && { lookback_days: own.lookback_days }),
          ...(id && { id }),
        }}
        visit={testVisitOf(own ?? { domain: domain ?? NAMES.domain, origins: [] })}
        isOwn={domain !== undefined}
        isFilledIn={id !== undefined && own !== null}
      />,
    )
  })
  for (const name of DOWNLOADS) {
    app.get(`/${name}`, (c) =>
      c.body(recipeFiles.downloads[name], 200, {
        ...KEPT_SHORTLY,
        'Content-Type': name.endsWith('.zip') ? 'application/zip' : 'application/gzip',
        'Content-Disposition': `attachment; filename="${name}"`,
      }),
    )
  }
  return app
}
