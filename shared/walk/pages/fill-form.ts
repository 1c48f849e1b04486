import { fieldKindOf, kindByAutocomplete, kindByLabel } from '../../markup/field-kinds.ts'
import { type Deciding, fill, type PagesDecision, type PagesState } from './deciding.ts'
import { countryInEnglish, optionFor, textFor } from './fields.ts'
import { countryOf, isCustomList, showsAnswer } from './lists.ts'
import { openList } from './open-list.ts'
import { ancestorsOf, isField, isPress, type PageNode, type PageTree } from './tree.ts'

/** Fields that are still empty, each once: the country first, because it changes the others. */
export function fieldsToFill(
  state: PagesState,
  tree: PageTree,
  fields: readonly PageNode[],
  done: Deciding,
): PagesDecision | null {
  const isOurs = (node: PageNode) =>
    !ancestorsOf(tree, node).some(({ role }) => role === 'contentinfo' || role === 'search')
  const open = fields.filter((node) => isOurs(node) && !done.isTried(node))
  const sent: { node: PageNode; kind: string; text?: string; option?: string }[] = []
  const lists: { node: PageNode; kind: 'country' | 'region' }[] = []
  let moved = done.contact
  for (const node of open) {
    const kind = fieldKindOf(node.name === '' ? { ...node, name: textBefore(tree, node) } : node)
    const [byToken, byLabel] = [kindByAutocomplete(node), kindByLabel(node)]
    if (node.name === '' && !node.attributes.title) {
      done.see(
        'field_unnamed',
        `It has no label${byToken ? `; its autocomplete says ${byToken}` : ''}.`,
        node,
      )
    } else if (byToken !== null && byLabel !== null && isContrary(byToken, byLabel)) {
      done.see(
        'autocomplete_wrong',
        `"${node.name}" has autocomplete="${node.attributes.autocomplete}".`,
        node,
      )
    }
    if (kind === null) {
      if (node.required && node.value === '') {
        done.see(
          'required_unknown',
          `"${node.name}" is required, and asks for nothing that is known.`,
          node,
        )
      }
      continue
    }
    if (node.tag === 'select') {
      if (kind !== 'country' && kind !== 'region') continue
      if (kind === 'country') {
        const found = countryOf(node.options, done.contact)
        if (found === null) {
          done.see('country_missing', `It does not offer ${done.contact.address.country}.`, node)
          return done.end('stopped')
        }
        moved = found.contact
        sent.push({ node, kind, option: found.option })
      } else {
        const option = optionFor(kind, node.options, done.contact)
        if (option !== null) sent.push({ node, kind, option })
      }
      continue
    }
    if (isCustomList(node)) {
      if (kind !== 'country' && kind !== 'region') continue
      if (!showsAnswer(node, kind, done.contact)) lists.push({ node, kind })
      continue
    }
    const text = textFor(kind, done.contact)
    if (text !== '' && node.role !== 'spinbutton') sent.push({ node, kind, text })
  }
  const country = sent.filter(({ kind }) => kind === 'country')
  if (country.length > 0) {
    const { address } = moved
    const isMoved = moved !== done.contact
    const what = `Choose the country${isMoved ? `: ${countryInEnglish(address.country)}` : ''}`
    return fill({ ...state, ...(isMoved && { contact: moved }) }, tree, done, what, country)
  }
  const list = lists.find(({ kind }) => kind === 'country') ?? (sent.length === 0 ? lists[0] : null)
  if (list) return openList(tree, done, list.node, list.kind)
  return sent.length === 0 ? null : fill(state, tree, done, 'Fill in contact and address', sent)
}

/** What is written before a field without a name, from which an agent guesses. */
const textBefore = (tree: PageTree, node: PageNode): string => {
  const at = tree.nodes.indexOf(node)
  const near = tree.nodes.slice(Math.max(0, at - 4), at)
  const last = near.findLastIndex((each) => isField(each) || isPress(each))
  return near
    .slice(last + 1)
    .filter(({ role }) => role === 'StaticText')
    .map(({ name }) => name)
    .join(' ')
}

/** Kinds that stores use for one another. */
const ALIKE = [new Set(['name', 'first', 'last']), new Set(['street', 'line2'])]

const isContrary = (one: string, other: string): boolean =>
  one !== other && !ALIKE.some((set) => set.has(one) && set.has(other))
