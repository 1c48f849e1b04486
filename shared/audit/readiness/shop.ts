import { recognisePlatform } from '../platforms/recognise.ts'
import { byHand, inPlace, missing, type Route, requirement, unseen } from './requirement.ts'
import { openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** Shop's agent, and the channels that read Shopify's catalog. */
export const SHOP: Route = {
  surface: 'shopify_catalog',
  label: 'Found through Shopify’s catalog',
  vendor: 'shop',
  about: 'The Shop app and AI channels that read Shopify’s catalog show your products.',
  requirements: [
    requirement({
      id: 'on_shopify',
      label: 'A store on Shopify',
      fix: 'The catalog holds products of stores on Shopify; with other software, take another route.',
      page: VENDOR_PAGES.shopifyCatalog,
      check: 'well_known',
      reads: ['homePage', 'productPages'],
      judge: (evidence) => {
        const platform = recognisePlatform(evidence)
        if (platform === null) return unseen('The software of the store was not recognised.')
        return platform.id === 'shopify'
          ? inPlace(`Shown by ${platform.seen_by.join(', ')}.`)
          : missing(`The store is made with ${platform.name}.`)
      },
    }),
    openDoor(VENDOR_PAGES.shopifyCatalog),
    byHand({
      id: 'shopify_eligible',
      label: 'Products that are in the catalog',
      fix: 'Eligible products are in it by themselves. Keep titles, images, categories, options, prices and stock complete.',
      where: 'Shopify admin: the catalog, and each AI channel',
      page: VENDOR_PAGES.shopifyCatalog,
    }),
  ],
}
