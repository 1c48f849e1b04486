/** What an element of a page is to an agent, with where it stands in the page. */
export interface PageNode {
  /** Of the accessibility tree: `button`, `textbox`, `StaticText`. */
  role: string
  name: string
  /** What a field holds, or a list has chosen. */
  value: string
  /** The position of its parent in `nodes`; -1 for the top. */
  parent: number
  /** Of a heading. */
  level: number | null
  checked: boolean
  /** Pressed or chosen, of a button or option that says so; null if it does not say. */
  pressed: boolean | null
  disabled: boolean
  required: boolean
  invalid: boolean
  /** The element's name in HTML, and those of its attributes that are read. */
  tag: string
  attributes: Readonly<Record<string, string>>
  /** What a list offers. */
  options: readonly { value: string; text: string; disabled: boolean }[]
  selector: string
  /** By which the browser finds it again, until the page changes. */
  ref: number
}

/** One page as its accessibility tree, in the order of the document. Frames are part of it. */
export interface PageTree {
  url: string
  title: string
  /** Of the document's answer; 0 if it is not known. */
  status: number
  nodes: readonly PageNode[]
}

const CONTROLS = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox', 'checkbox'],
  ...['radio', 'switch', 'menuitem', 'tab', 'PopUpButton', 'DisclosureTriangle', 'option'],
])

export const isControl = ({ role }: PageNode): boolean => CONTROLS.has(role)

export const isPress = ({ role }: PageNode): boolean =>
  role === 'button' || role === 'link' || role === 'menuitem' || role === 'PopUpButton'

export const isField = ({ role, attributes }: PageNode): boolean =>
  role === 'textbox' ||
  role === 'searchbox' ||
  role === 'spinbutton' ||
  (role === 'combobox' && attributes.type !== 'button')

/** The nodes above one, the nearest first. */
export function ancestorsOf(tree: PageTree, node: PageNode): PageNode[] {
  const above: PageNode[] = []
  for (let at = node.parent; at >= 0; ) {
    const parent = tree.nodes[at]
    if (parent === undefined) break
    above.push(parent)
    at = parent.parent
  }
  return above
}

const isWithinNode = (tree: PageTree, node: PageNode, container: PageNode): boolean =>
  node === container || ancestorsOf(tree, node).includes(container)

/** What stands for a page: its main part, else all of it. */
export const pageNodeOf = ({ nodes, title }: PageTree): PageNode =>
  nodes.find(({ role }) => role === 'main') ?? {
    role: 'document',
    name: title,
    value: '',
    parent: -1,
    level: null,
    checked: false,
    pressed: null,
    disabled: false,
    required: false,
    invalid: false,
    tag: 'html',
    attributes: {},
    options: [],
    selector: 'html',
    ref: -1,
  }

/** The texts of nodes, each once, in their order. */
export const textOfNodes = (nodes: readonly PageNode[]): string =>
  nodes
    .filter(({ role }) => role === 'StaticText')
    .map(({ name }) => name)
    .join(' ')
    .replace(/\s+/g, ' ')

export const textWithin = (tree: PageTree, container: PageNode): string =>
  textOfNodes(tree.nodes.filter((node) => isWithinNode(tree, node, container)))

/** What an agent is shown of the controls: `button "Add to basket"`. */
export const controlText = ({ role, name, value, disabled }: PageNode): string =>
  `${role} ${JSON.stringify(name)}${value === '' ? '' : ` = ${JSON.stringify(value.slice(0, 60))}`}${disabled ? ' (disabled)' : ''}`
