import type { FieldKind } from '../../markup/field-kinds.ts'
import { addressIn, COUNTRIES } from '../addresses.ts'
import { type Contact, countryInEnglish, optionFor } from './fields.ts'
import { ancestorsOf, type PageNode, type PageTree } from './tree.ts'

/** A list that is open, and what is chosen of it. */
export interface OpenList {
  /** What opened it. */
  of: string
  kind: 'country' | 'region' | 'variant'
  /** Something was written to find an entry. */
  isSearched: boolean
}

/** A list that is no `select`: a button or a field that opens options when it is pressed. */
export const isCustomList = ({ role, tag, attributes }: PageNode): boolean =>
  role === 'combobox'
    ? tag !== 'select' && (tag !== 'input' || attributes['aria-expanded'] !== undefined)
    : (role === 'button' || role === 'PopUpButton') && attributes['aria-haspopup'] === 'listbox'

/** The options that a custom list shows while it is open. */
export const shownOptions = (tree: PageTree): PageNode[] =>
  tree.nodes.filter(
    (node) =>
      node.role === 'option' &&
      !node.disabled &&
      node.name !== '' &&
      ancestorsOf(tree, node).some(({ role, tag }) => role === 'listbox' && tag !== 'select'),
  )

/** Whether a custom list is open, with options or without. */
export const isListShown = (tree: PageTree): boolean =>
  tree.nodes.some(({ role, tag }) => role === 'listbox' && tag !== 'select')

/** The field in which an entry of an open list is looked for. */
export const searchOf = (tree: PageTree): PageNode | undefined => {
  const at = tree.nodes.findIndex(({ role, tag }) => role === 'listbox' && tag !== 'select')
  return tree.nodes
    .slice(Math.max(0, at - SEARCH_BEFORE), Math.max(0, at))
    .find(
      (node) =>
        node.tag === 'input' &&
        (node.role === 'searchbox' ||
          node.attributes.type === 'search' ||
          (node.role === 'combobox' && node.attributes['aria-expanded'] !== undefined)),
    )
}
/** The nodes before a list, among which its field is. */
const SEARCH_BEFORE = 8

/** What a list of countries is asked for: the buyer’s, else another that we know an address in. */
export function countryOf(
  options: PageNode['options'],
  contact: Contact,
): { option: string; contact: Contact } | null {
  const own = optionFor('country', options, contact)
  if (own !== null) return { option: own, contact }
  // Unspecified: a store that does not ship to the buyer's country sells to others.
  for (const country of COUNTRIES) {
    const other = { ...contact, address: addressIn(country, contact.address) }
    const option = optionFor('country', options, other)
    if (option !== null) return { option, contact: other }
  }
  return null
}

export const asOptions = (nodes: readonly PageNode[]): PageNode['options'] =>
  nodes.map(({ name }, at) => ({ value: `#${at}`, text: name, disabled: false }))

/** Whether a custom list shows the buyer’s country or region already. */
export const showsAnswer = (node: PageNode, kind: FieldKind, contact: Contact): boolean =>
  optionFor(kind, [{ value: '', text: node.value, disabled: false }], contact) !== null

/** What is written to find an entry. */
export const searchText = ({ kind }: OpenList, { address }: Contact): string =>
  kind === 'country' ? countryInEnglish(address.country) : address.city
