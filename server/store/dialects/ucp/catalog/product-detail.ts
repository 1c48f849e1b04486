import * as z from 'zod'
import { LOOKUP } from '../../../../../shared/protocols/ucp/names.ts'
import type { Offer } from '../../../db/tables.ts'
import type { JsonObject } from '../../../http/store-request.ts'
import { noteLookUp } from '../../../shop/product-views.ts'
import { Text, type UcpResult, ucpFailure, ucpOf } from '../envelope.ts'
import { type CatalogCall, resolve } from './catalog.ts'
import { CatalogRequest, unusedFilters, wantedOffers, withMessages } from './catalog-filters.ts'
import {
  isAvailable,
  optionsOf,
  Selected,
  selectionOf,
  toUcpProduct,
  toUcpVariant,
} from './product.ts'

/**
 * The argument of `get_product`: `selected` must hold; the last of `preferences` is dropped last.
 */
export const ProductRequest = CatalogRequest.extend({
  id: Text,
  selected: z.array(Selected).max(20).optional(),
  preferences: z.array(Text).max(20).optional(),
})

/** One product: the variants that match the selection, and which values of each option remain. */
export function productDetail(
  call: CatalogCall,
  request: z.infer<typeof ProductRequest>,
): UcpResult {
  const { request: shop, negotiated } = call
  const { origin, inventory } = shop
  const hit = resolve(inventory, request.id, request)
  if (hit === null) return ucpFailure(call, 'not_found', `There is no product ${request.id}.`)
  const { article, offer, match } = hit
  const variantId = match === 'exact' ? offer.id : undefined
  noteLookUp(shop, { source: 'ucp', shown: [article], variantId })
  const offers = wantedOffers(article, request)
  const ofVariant = match === 'exact' ? selectionOf(offer.attributes) : []
  const kept = relax(offers, request.selected ?? ofVariant, request.preferences ?? [])
  const fitting = offers.filter((each) => fits(each, kept))
  const asked = match === 'exact' ? fitting.find((each) => each === offer) : undefined
  const featured = asked ?? fitting.find(isAvailable) ?? fitting[0] ?? offer
  const variants = [featured, ...fitting.filter((each) => each !== featured)]
  const selected = kept.length > 0 ? kept : selectionOf(featured.attributes)
  const options = optionsOf(article).map(({ name, labels }) => {
    const others = selected.filter((each) => each.name !== name)
    return { name, values: labels.map((label) => signals(offers, others, { name, label })) }
  })
  return {
    status: 200,
    body: {
      ucp: ucpOf(negotiated, 'success', LOOKUP),
      product: {
        ...toUcpProduct(
          article,
          origin,
          variants.map((each) => toUcpVariant(article, each)),
        ),
        ...(options.length > 0 && { selected, options }),
      },
      ...withMessages(unusedFilters(request)),
    },
  }
}

/**
 * Whether a variant has this value together with the rest of the selection, and whether one is
 * available.
 */
function signals(offers: readonly Offer[], others: Selected[], value: Selected): JsonObject {
  const having = offers.filter((offer) => fits(offer, [...others, value]))
  return { label: value.label, exists: having.length > 0, available: having.some(isAvailable) }
}

const fits = ({ attributes }: Offer, selected: readonly Selected[]): boolean =>
  selected.every(({ name, label }) => attributes[name] === label)

/** Drops the least preferred options of a selection, one after another, until a variant matches. */
function relax(
  offers: readonly Offer[],
  selected: readonly Selected[],
  preferences: readonly string[],
): Selected[] {
  const rank = ({ name }: Selected) => {
    const at = preferences.indexOf(name)
    return at === -1 ? preferences.length : at
  }
  const kept = [...selected].sort((one, other) => rank(one) - rank(other))
  while (kept.length > 0 && !offers.some((offer) => fits(offer, kept))) kept.pop()
  return kept
}
