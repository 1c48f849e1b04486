import type { MarkupNode } from './node.ts'
import { firstText, hasValue, isNode, nodesOf, oneLineText, valuesOf } from './values.ts'

/**
 * What a stated policy lacks of what Google requires: names of properties, empty text for an empty
 * policy, and null for a valid or missing one.
 */
export interface PolicyFaults {
  return_policy_lacks: string | null
  shipping_lacks: string | null
}

/** Destinations and rates have one policy each; this many of one offer are read. */
const MAX_POLICIES = 20

/**
 * What the policies of a product, an offer or an organization lack by Google's merchant listing
 * documentation. A policy on another page, by `@id`, an address or as text, is not judged.
 * `merchantReturnLink` says where to read the policy, and is enough.
 */
export const policyFaultsOf = (node: MarkupNode): PolicyFaults => ({
  return_policy_lacks: firstFault(node, 'hasMerchantReturnPolicy', returnsLack),
  shipping_lacks: firstFault(node, 'shippingDetails', shippingLacks),
})

/** The fault of the first of a node's policies that has one. */
function firstFault(
  node: MarkupNode,
  property: string,
  lacksOf: (policy: MarkupNode) => string[],
): string | null {
  for (const policy of nodesOf(node, property).slice(0, MAX_POLICIES)) {
    const isEmpty = [...policy.props.keys()].every((name) => !hasValue(policy, name))
    if (isEmpty && policy.id === null) return ''
    const lacks = isEmpty ? [] : lacksOf(policy)
    if (lacks.length > 0) return lacks.join(', ')
  }
  return null
}

const without = (node: MarkupNode, ...names: string[]): string[] =>
  names.filter((name) => !hasValue(node, name))

/** Required: the country, the category, and the days of a finite return window. */
function returnsLack(policy: MarkupNode): string[] {
  if (hasValue(policy, 'merchantReturnLink')) return []
  const hasWindow =
    firstText(policy, 'returnPolicyCategory')?.endsWith('FiniteReturnWindow') ?? false
  return without(
    policy,
    'applicableCountry',
    'returnPolicyCategory',
    ...(hasWindow ? ['merchantReturnDays'] : []),
  )
}

// Unspecified: Google lists deliveryTime as required, and its tools report its absence as a
// recommendation; it is named with other faults, and is not a fault alone.
/**
 * Required: the country, and the rate with its currency. What a store does not ship has no rate.
 */
function shippingLacks(details: MarkupNode): string[] {
  if (hasValue(details, 'hasShippingService') || hasValue(details, 'shippingSettingsLink'))
    return []
  const destinations = nodesOf(details, 'shippingDestination')
  const isTold =
    valuesOf(details, 'shippingDestination').some(
      (value) => !isNode(value) && oneLineText(value),
    ) || destinations.some((each) => isElsewhere(each) || hasValue(each, 'addressCountry'))
  const lacks = isTold ? [] : ['shippingDestination.addressCountry']
  if (!isFalse(details, 'doesNotShip')) return lacks
  const rates = nodesOf(details, 'shippingRate')
  if (rates.length === 0) lacks.push('shippingRate')
  else if (!rates.some(isElsewhere)) {
    const amounts = ['value', 'maxValue', 'minValue', 'price', 'orderPercentage']
    if (!rates.some((rate) => amounts.some((name) => hasValue(rate, name)))) {
      lacks.push('shippingRate.value')
    }
    if (!rates.some((rate) => hasValue(rate, 'currency') || hasValue(rate, 'orderPercentage'))) {
      lacks.push('shippingRate.currency')
    }
  }
  return lacks.length > 0 ? [...lacks, ...without(details, 'deliveryTime')] : []
}

/** It refers to another node and says nothing itself. */
const isElsewhere = ({ id, props }: MarkupNode): boolean => id !== null && props.size === 0

/** Not stated, or stated as false. */
const isFalse = (node: MarkupNode, name: string): boolean => {
  const [value] = valuesOf(node, name)
  return value === undefined || value === false || (!isNode(value) && !/true$/i.test(String(value)))
}
