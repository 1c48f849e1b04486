import { type Availability, toMajor } from '../../../../shared/commerce/product.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { applyFaults, type JsonObject, type StoreRequest } from '../../http/store-request.ts'
import { imagePath, offersOf, pagePath, variantName } from '../assortment.ts'
import { LOGO_PATH, RETURN_DAYS, SHIPPING, SHOP_MOTTO, SHOP_NAME } from '../settings.ts'

const SCHEMA = 'https://schema.org'

const AVAILABILITY: Record<Availability, string> = {
  in_stock: `${SCHEMA}/InStock`,
  out_of_stock: `${SCHEMA}/OutOfStock`,
  preorder: `${SCHEMA}/PreOrder`,
  backorder: `${SCHEMA}/BackOrder`,
}

/**
 * The product of a page for Google's merchant listing: a Product, or a ProductGroup of variants.
 */
export function productMarkup(request: StoreRequest, article: Article): JsonObject {
  const { id, name, category, variants } = article
  const url = `${request.origin}${pagePath(article)}`
  const shared = {
    description: article.description,
    image: [`${request.origin}${imagePath(article)}`],
    brand: { '@type': 'Brand', name: article.brand },
  }
  const node =
    variants.length === 0
      ? { '@type': 'Product', '@id': `${url}#product`, name, url, category, ...shared }
      : {
          '@type': 'ProductGroup',
          '@id': `${url}#product`,
          productGroupID: id,
          name,
          url,
          category,
          ...shared,
          variesBy: Object.keys(variants[0]?.attributes ?? {}).map((key) => `${SCHEMA}/${key}`),
        }
  return applyFaults(request, 'productMarkup', {
    '@context': SCHEMA,
    ...node,
    ...(variants.length === 0
      ? soldAs(request, article, url)
      : {
          hasVariant: variants.map((variant) => ({
            '@type': 'Product',
            name: variantName(article, variant),
            ...shared,
            ...variant.attributes,
            ...soldAs(request, variant, variantUrl(url, variant)),
          })),
        }),
  })
}

/** The product's page with the variant preselected; Google wants an address for each. */
export const variantUrl = (url: string, { id }: Offer): string =>
  `${url}?variant=${encodeURIComponent(id)}`

/** The members of a Product for one offer, with its Offer. */
const soldAs = (request: StoreRequest, offer: Offer, url: string): JsonObject => {
  const { amount, currency } = applyFaults(request, 'shelfPrice', offer.price)
  return {
    sku: offer.sku,
    gtin13: offer.gtin,
    offers: {
      '@type': 'Offer',
      url,
      price: toMajor({ amount, currency }),
      priceCurrency: currency,
      priceValidUntil: `${request.at.getUTCFullYear() + 1}-12-31`,
      availability: AVAILABILITY[offer.availability],
      itemCondition: `${SCHEMA}/NewCondition`,
      shippingDetails: shippingDetails(amount),
      hasMerchantReturnPolicy: RETURN_POLICY,
    },
  }
}

const days = (minValue: number, maxValue: number) => ({
  '@type': 'QuantitativeValue',
  minValue,
  maxValue,
  unitCode: 'DAY',
})
const destination = { '@type': 'DefinedRegion', addressCountry: SHIPPING.country }
const shippingRate = (amount: number) => ({
  '@type': 'MonetaryAmount',
  value: toMajor({ ...SHIPPING.standard, amount }),
  currency: SHIPPING.standard.currency,
})

const shippingDetails = (price: number) => ({
  '@type': 'OfferShippingDetails',
  shippingRate: shippingRate(price >= SHIPPING.freeFrom.amount ? 0 : SHIPPING.standard.amount),
  shippingDestination: destination,
  deliveryTime: {
    '@type': 'ShippingDeliveryTime',
    handlingTime: days(0, 1),
    transitTime: days(3, 5),
  },
})

const RETURN_POLICY = {
  '@type': 'MerchantReturnPolicy',
  applicableCountry: SHIPPING.country,
  returnPolicyCategory: `${SCHEMA}/MerchantReturnFiniteReturnWindow`,
  merchantReturnDays: RETURN_DAYS,
  returnMethod: `${SCHEMA}/ReturnByMail`,
  returnFees: `${SCHEMA}/FreeReturn`,
}

/** The words of Facebook's product tags. */
const OPEN_GRAPH_AVAILABILITY: Record<Availability, string> = {
  in_stock: 'in stock',
  out_of_stock: 'out of stock',
  preorder: 'preorder',
  backorder: 'available for order',
}

/** What a shared link shows of the product: its lowest price. */
export function productOpenGraph(request: StoreRequest, article: Article): Record<string, string> {
  const { sku, price, availability } = lowestOf(offersOf(article))
  const { amount, currency } = applyFaults(request, 'shelfPrice', price)
  return {
    'og:type': 'product',
    'product:price:amount': toMajor({ amount, currency }),
    'product:price:currency': currency,
    'product:availability': OPEN_GRAPH_AVAILABILITY[availability],
    'product:retailer_item_id': sku,
  }
}

/** The breadcrumbs from the home page to a product. */
export const breadcrumbMarkup = (request: StoreRequest, article: Article): JsonObject => ({
  '@context': SCHEMA,
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name: 'Home', item: `${request.origin}/` },
    {
      '@type': 'ListItem',
      position: 2,
      name: article.category,
      item: `${request.origin}/#${departmentAnchor(article.category)}`,
    },
    { '@type': 'ListItem', position: 3, name: article.name },
  ],
})

/** The id of a department's section on the home page. */
export const departmentAnchor = (category: string): string =>
  category.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** The home page's nodes: the site, and the company behind it. */
export function homeMarkup(request: StoreRequest): JsonObject[] {
  const url = `${request.origin}/`
  const organization = `${url}#organization`
  return applyFaults(request, 'homeMarkup', [
    {
      '@context': SCHEMA,
      '@type': 'WebSite',
      '@id': `${url}#website`,
      name: SHOP_NAME,
      url,
      publisher: { '@id': organization },
    },
    {
      '@context': SCHEMA,
      '@type': 'OnlineStore',
      '@id': organization,
      name: SHOP_NAME,
      description: SHOP_MOTTO,
      url,
      logo: `${request.origin}${LOGO_PATH}`,
      sameAs: ['https://social.example/aisle-outfitters', 'https://video.example/@aisleoutfitters'],
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer service',
        email: `service@${new URL(request.origin).hostname}`,
      },
      hasMerchantReturnPolicy: RETURN_POLICY,
      hasShippingService: {
        '@type': 'ShippingService',
        name: 'Standard',
        shippingConditions: {
          '@type': 'ShippingConditions',
          shippingDestination: destination,
          shippingRate: shippingRate(SHIPPING.standard.amount),
        },
      },
    },
  ])
}

/** `$79.00`, or `from $79.00` if some variants cost more. */
export function priceLabel(request: StoreRequest, article: Article): string {
  const offers = offersOf(article)
  const lowest = lowestOf(offers)
  const isFrom = offers.some((offer) => amountOf(offer) > amountOf(lowest))
  return `${isFrom ? 'from ' : ''}$${toMajor(applyFaults(request, 'shelfPrice', lowest.price))}`
}

const lowestOf = (offers: readonly Offer[]): Offer =>
  offers.reduce((low, offer) => (amountOf(offer) < amountOf(low) ? offer : low))

const amountOf = ({ price }: Offer): number => price.amount
