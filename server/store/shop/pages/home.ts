import { html } from 'hono/html'
import type { Article } from '../../db/tables.ts'
import type { Reply } from '../../http/store-request.ts'
import { imagePath, pagePath } from '../assortment.ts'
import { DEPARTMENTS } from '../catalog-data.ts'
import type { InventoryRequest } from '../inventory.ts'
import { SHOP_MOTTO, SHOP_NAME } from '../settings.ts'
import { jsonLdText, renderStorePage } from './frame.ts'
import { departmentAnchor, homeMarkup, priceLabel } from './markup.ts'

/** `GET /`: all products by department. */
export const homePage = (request: InventoryRequest): Reply =>
  renderStorePage(request, {
    parts: {
      title: `${SHOP_MOTTO} | ${SHOP_NAME}`,
      description: `${SHOP_NAME} sells tents, packs, sleeping bags, clothing and footwear.`,
      jsonLd: homeMarkup(request).map(jsonLdText),
    },
    main: html`<h1>${SHOP_MOTTO}</h1>
<nav aria-label="Departments"><ul class="departments">
${DEPARTMENTS.map(({ category }) => html`<li><a href="#${departmentAnchor(category)}">${category}</a></li>\n`)}
</ul></nav>
${DEPARTMENTS.map(({ category }) => department(request, category))}`,
  })

const department = (request: InventoryRequest, category: string) =>
  html`<section id="${departmentAnchor(category)}">
<h2>${category}</h2>
<ul class="shelf">
${request.inventory.articles.filter((article) => article.category === category).map((article) => card(request, article))}
</ul>
</section>
`

const card = (request: InventoryRequest, article: Article) =>
  html`<li><a href="${pagePath(article)}">
<img src="${imagePath(article)}" alt="" width="240" height="180" loading="lazy">
<strong>${article.name}</strong> <span>${article.brand}</span>
</a><b>${priceLabel(request, article)}</b></li>
`
