import { html } from 'hono/html'
import { formatMoney } from '../../../../shared/commerce/product.ts'
import type { Reply, StoreRequest } from '../../http/store-request.ts'
import { POLICIES_PATH, RETURN_DAYS, SHIPPING, SHOP_NAME, TAX_PERCENT } from '../settings.ts'
import { renderStorePage } from './frame.ts'

const { standard, express, international, freeFrom } = SHIPPING

/** Sections of the page, by the names that UCP has for them. */
const POLICIES = [
  {
    type: 'shipping_policy',
    title: 'Shipping',
    text: `Within the United States, standard shipping costs ${formatMoney(standard)} and is free for orders of ${formatMoney(freeFrom)} or more; express shipping costs ${formatMoney(express)}. Tax is ${TAX_PERCENT} percent. Shipping to other countries costs ${formatMoney(international)}.`,
  },
  {
    type: 'refund_policy',
    title: 'Returns',
    text: `Return anything within ${RETURN_DAYS} days for a full refund.`,
  },
  {
    type: 'privacy_policy',
    title: 'Privacy',
    text: 'We use an address for one checkout and delete it when the checkout expires.',
  },
  {
    type: 'terms_of_service',
    title: 'Terms',
    text: 'This is a reference store. Nothing that you order is charged or delivered.',
  },
]

/** `GET /policies`: shipping, returns, privacy and terms, each with its own id. */
export const policiesPage = (request: StoreRequest): Reply =>
  renderStorePage(request, {
    parts: {
      title: `Policies | ${SHOP_NAME}`,
      description: `Shipping, returns and privacy at ${SHOP_NAME}.`,
      jsonLd: [],
    },
    main: html`<h1>Policies</h1>
${POLICIES.map(({ type, title, text }) => html`<section id="${type}"><h2>${title}</h2><p>${text}</p></section>\n`)}`,
  })

/** The links that a checkout shows. */
export const policyLinks = ({ origin }: Pick<StoreRequest, 'origin'>) =>
  POLICIES.map(({ type, title }) => ({ type, url: `${origin}${POLICIES_PATH}#${type}`, title }))
