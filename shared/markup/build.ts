import * as z from 'zod'
import { gtinProblem } from '../commerce/gtin.ts'
import { exponentOf, isCountry, isCurrency } from '../commerce/iso.ts'
import { AVAILABILITIES, type Availability } from '../commerce/product.ts'
import { Domain } from '../web/address/domain.ts'

const SCHEMA = 'https://schema.org'

/** `URL.canParse` alone would accept `https:shop.example`, which the URL standard repairs. */
const HttpsUrl = z
  .string()
  .max(2000)
  .refine((text) => /^https:\/\/[^\s/]+/i.test(text) && URL.canParse(text), {
    message: 'Enter an absolute URL that begins with https://.',
  })

/** At most three decimals, the most that any currency of ISO 4217 has. */
const Decimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,3})?$/, 'Enter a plain decimal with a point, such as 19.99.')

const Country = z.string().refine(isCountry, 'Enter a two-letter ISO 3166-1 code, such as US.')

/**
 * 5000 characters is the longest description that Google Merchant Center accepts,
 * https://support.google.com/merchants/answer/7052112.
 */
const Text = z.string().min(1, 'Fill this in.').max(5000)

/**
 * The input of the markup tool. The messages are shown at the fields of its form, so they say what
 * to enter and not which rule was broken.
 */
const Facts = z.object({
  /** Host name without a scheme; becomes the `url` of the site and of the store. */
  domain: Domain,
  shop_name: Text,
  logo: HttpsUrl.optional(),
  /** Profiles of the store on other sites. */
  profiles: z.array(HttpsUrl),
  name: Text,
  /** The product's own page, absolute. */
  url: HttpsUrl,
  /** At least one: Google's merchant listings require `image`. */
  images: z.array(HttpsUrl).min(1, 'Enter at least one image.'),
  description: Text.optional(),
  brand: Text.optional(),
  /** Google: without white space. */
  sku: Text.regex(/^\S+$/, 'Enter it without spaces.').optional(),
  /** Stored as digits only. Spaces and dashes as printed below a barcode are accepted. */
  gtin: z
    .string()
    .superRefine((value, context) => {
      const problem = gtinProblem(value)
      if (problem !== null) context.addIssue({ code: 'custom', message: `It ${problem}.` })
    })
    .transform((value) => value.replace(/[\s-]/g, ''))
    .optional(),
  /** Major units, such as `19.99`. Google's merchant listings require a price above 0. */
  price: Decimal.refine((text) => Number(text) > 0, 'The price must be above 0.'),
  currency: z.string().refine(isCurrency, 'Enter a three-letter ISO 4217 code, such as USD.'),
  availability: z.enum(AVAILABILITIES),
  /** One flat rate to one country; `price` in major units, 0 for free shipping. */
  shipping: z.object({ price: Decimal, country: Country }).optional(),
  returns: z
    .object({
      /** From the delivery; 0 means that returns are not accepted. */
      days: z.int('Enter a whole number of days.').min(0).max(3650),
      country: Country,
      free: z.boolean(),
    })
    .optional(),
})

/**
 * What a store knows about one of its products, and about itself. Amounts may have no more decimals
 * than their currency (ISO 4217): 19.99 is not an amount in JPY.
 */
export const ProductFacts = Facts.superRefine(({ price, shipping, currency }, context) => {
  for (const [path, amount = ''] of [
    [['price'], price],
    [['shipping', 'price'], shipping?.price],
  ] as const) {
    const message = amountProblem(amount, currency)
    if (message !== null) context.addIssue({ code: 'custom', path: [...path], message })
  }
})
export type ProductFacts = z.infer<typeof ProductFacts>

/** Why a plain decimal is not an amount in a currency, as a sentence; null if it is. */
export function amountProblem(amount: string, currency: string): string | null {
  const digits = exponentOf(currency)
  // Trailing zeros do not count: `19.900` is a valid amount in USD.
  const decimals = amount.split('.')[1]?.replace(/0+$/, '') ?? ''
  if (decimals.length <= digits) return null
  return `Amounts in ${currency} have ${digits === 0 ? 'no decimals' : `up to ${digits} decimals`}.`
}

/** The catalog's values (spec, Product) as names of https://schema.org/ItemAvailability. */
const AVAILABILITY: Record<Availability, string> = {
  in_stock: 'InStock',
  out_of_stock: 'OutOfStock',
  preorder: 'PreOrder',
  backorder: 'BackOrder',
}

/**
 * JSON-LD for the page of the product: a Product with one Offer
 * (https://developers.google.com/search/docs/appearance/structured-data/merchant-listing). Missing
 * facts are left out.
 */
export function productJsonLd(facts: ProductFacts): object {
  const { name, url, images, description, brand, sku, gtin } = facts
  return {
    '@context': SCHEMA,
    '@type': 'Product',
    name,
    url,
    image: images,
    ...(description !== undefined && { description }),
    ...(brand !== undefined && { brand: brandJsonLd(brand) }),
    ...(sku !== undefined && { sku }),
    ...(gtin !== undefined && { gtin }),
    offers: offerJsonLd(facts),
  }
}

export const brandJsonLd = (name: string): object => ({ '@type': 'Brand', name })

/** Without the condition of the goods, which is not in the input. */
export function offerJsonLd({
  url,
  price,
  currency,
  availability,
  shipping,
  returns,
}: Pick<
  ProductFacts,
  'url' | 'price' | 'currency' | 'availability' | 'shipping' | 'returns'
>): object {
  return {
    '@type': 'Offer',
    url,
    price,
    priceCurrency: currency,
    availability: availabilityJsonLd(availability),
    ...(shipping !== undefined && { shippingDetails: shippingJsonLd(shipping, currency) }),
    ...(returns !== undefined && { hasMerchantReturnPolicy: returnPolicyJsonLd(returns) }),
  }
}

export const availabilityJsonLd = (availability: Availability): string =>
  `${SCHEMA}/${AVAILABILITY[availability]}`

export const shippingJsonLd = (
  { price, country }: NonNullable<ProductFacts['shipping']>,
  currency: string,
): object => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: price, currency },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: country },
})

/**
 * A MerchantReturnPolicy (https://schema.org/MerchantReturnPolicy). With a finite return window,
 * Google requires `merchantReturnDays`; without returns, nothing but the category applies.
 */
export function returnPolicyJsonLd({
  days,
  country,
  free,
}: NonNullable<ProductFacts['returns']>): object {
  const policy = { '@type': 'MerchantReturnPolicy', applicableCountry: country }
  if (days === 0) {
    return { ...policy, returnPolicyCategory: `${SCHEMA}/MerchantReturnNotPermitted` }
  }
  return {
    ...policy,
    returnPolicyCategory: `${SCHEMA}/MerchantReturnFiniteReturnWindow`,
    merchantReturnDays: days,
    returnMethod: `${SCHEMA}/ReturnByMail`,
    returnFees: free ? `${SCHEMA}/FreeReturn` : `${SCHEMA}/ReturnFeesCustomerResponsibility`,
  }
}

/**
 * JSON-LD for the home page: the site, and the store behind it, joined by `@id`. Google takes the
 * site's name from WebSite (https://developers.google.com/search/docs/appearance/site-names) and
 * recommends the subtype OnlineStore for stores.
 */
export function shopJsonLd({
  domain,
  shop_name,
  logo,
  profiles,
}: Pick<ProductFacts, 'domain' | 'shop_name' | 'logo' | 'profiles'>): object {
  const url = `https://${domain}/`
  return {
    '@context': SCHEMA,
    '@graph': [
      {
        '@type': 'WebSite',
        '@id': `${url}#website`,
        name: shop_name,
        url,
        publisher: { '@id': `${url}#organization` },
      },
      {
        '@type': 'OnlineStore',
        '@id': `${url}#organization`,
        name: shop_name,
        url,
        ...(logo !== undefined && { logo }),
        ...(profiles.length > 0 && { sameAs: profiles }),
      },
    ],
  }
}

/**
 * A script element that holds JSON-LD. Every `<` is written as a JSON escape: HTML ends a script at
 * `</script` and reads on differently after `<!--`, wherever they stand (HTML, "Restrictions for
 * contents of script elements").
 */
export function jsonLdElement(node: unknown): string {
  const json = JSON.stringify(node, null, 2).replaceAll('<', '\\u003c')
  return `<script type="application/ld+json">\n${json}\n</script>`
}
