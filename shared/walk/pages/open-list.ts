import { type Deciding, fill, keyOf, type PagesDecision, type PagesState } from './deciding.ts'
import { optionFor } from './fields.ts'
import {
  asOptions,
  countryOf,
  isListShown,
  type OpenList,
  searchOf,
  searchText,
  shownOptions,
} from './lists.ts'
import type { PageNode, PageTree } from './tree.ts'
import { PLACEHOLDER } from './words.ts'

/** Opens a list that is no `select` next. */
export const openList = (
  tree: PageTree,
  done: Deciding,
  node: PageNode,
  kind: OpenList['kind'],
): PagesDecision =>
  done.press(node, `Open the list "${node.name || kind}"`, {
    open: { of: keyOf(tree, node), kind, isSearched: false },
  })

/** Chooses of the list that is open; null if a field takes any text after all. */
export function onOpenList(
  state: PagesState,
  tree: PageTree,
  done: Deciding,
  open: OpenList,
): PagesDecision | null {
  const opener = tree.nodes.find((node) => keyOf(tree, node) === open.of) ?? null
  const shown = shownOptions(tree)
  const options = asOptions(shown)
  const at = (option: string | null) => shown[options.findIndex(({ value }) => value === option)]
  const found = open.kind === 'country' ? countryOf(options, done.contact) : null
  const isMoved = found !== null && found.contact !== done.contact
  const wanted =
    open.kind === 'country'
      ? at(found?.option ?? null)
      : open.kind === 'region'
        ? at(optionFor('region', options, done.contact))
        : shown.find(({ name }) => !PLACEHOLDER.test(name.toLowerCase()))
  const search = open.isSearched || open.kind === 'variant' ? undefined : searchOf(tree)
  const field = search ?? (opener?.tag === 'input' ? opener : undefined)
  // A long list may show the buyer's country only when it is looked for.
  if ((!wanted || isMoved) && field && !open.isSearched) {
    const text = searchText(open, done.contact)
    return fill({ ...state, open: { ...open, isSearched: true } }, tree, done, `Look for ${text}`, [
      { node: field, text },
    ])
  }
  // Unspecified: a region that is not known is the first of the list.
  const option = wanted ?? (open.kind === 'region' ? shown[0] : undefined)
  if (option) {
    const change = { open: null, ...(isMoved && { contact: found.contact }) }
    return done.press(option, `Choose ${option.name}`, change)
  }
  if (opener?.tag === 'input' && !isListShown(tree)) return null
  if (open.kind === 'variant') {
    done.see('options_not_operable', 'It opens no options that have a name.', opener)
  } else if (isListShown(tree)) {
    done.see('country_missing', `It does not offer ${done.contact.address.country}.`, opener)
  } else {
    done.see('list_not_operable', 'When it is pressed, no options with a name appear.', opener)
  }
  return done.end('stopped')
}
