import { OpenAPIHono } from '@hono/zod-openapi'
import { testVisitOf } from '../../../../shared/attribution/property.ts'
import { readWebSession } from '../../../access/web-session.ts'
import { isPropertyId } from '../../../attribution/properties.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { KEPT_SHORTLY } from '../../../http/kept-text.ts'
import type { KeptPages } from '../../kept-pages.tsx'
import { renderPage } from '../../render-page.tsx'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { findOwnProperty } from '../own-property.ts'
import { RecipeListPage } from './RecipeListPage.tsx'
import { RecipePage } from './RecipePage.tsx'
import { findRecipe } from './recipes.ts'

/** What stands in the code until a property is known. */
const NAMES = { domain: 'shop.example', id: 'prop_YOUR_PROPERTY_ID' }

/** `/tools/orders`: a recipe for each platform, and the package that some of them install. */
export function orderRoutes(deps: PageDeps, { answer }: KeptPages) {
  const { db, baseUrl, recipeFiles } = deps
  const site = siteOf(deps)
  return new OpenAPIHono<ServerEnv>()
    .get('/tools/orders', (c) =>
      answer(
        c,
        {
          title: 'Join orders to visits',
          description: 'How a shop reports its orders, one page for each platform.',
          current: '/tools/orders',
        },
        () => <RecipeListPage />,
      ),
    )
    .get('/tools/orders/:platform', async (c) => {
      const recipe = findRecipe(c.req.param('platform'))
      if (recipe === null) return c.notFound()
      const key = await readWebSession(c, deps)
      if (key !== null) c.set('key', key)
      const own = await findOwnProperty(db, key, c.req.query('domain'))
      const asked = c.req.query('id') ?? ''
      const id = isPropertyId(asked) ? asked : own?.id
      return renderPage(
        c,
        site,
        {
          title: `Join orders to visits: ${recipe.platform}`,
          description: recipe.summary,
          scripts: ['copy.js'],
          headers: { 'Cache-Control': 'no-store' },
        },
        <RecipePage
          recipe={recipe}
          code={recipeFiles.code}
          names={{ ...NAMES, baseUrl, ...(own && { domain: own.domain }), ...(id && { id }) }}
          visit={testVisitOf(own ?? { domain: NAMES.domain, origins: [] })}
          isFilledIn={id !== undefined && own !== null}
        />,
      )
    })
    .get('/aisle-node.tgz', (c) =>
      c.body(recipeFiles.aisleNode, 200, {
        ...KEPT_SHORTLY,
        'Content-Type': 'application/gzip',
        'Content-Disposition': 'attachment; filename="aisle-node.tgz"',
      }),
    )
}
