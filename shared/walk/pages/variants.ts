import { ancestorsOf, type PageNode, type PageTree } from './tree.ts'
import { OPTION_LABEL } from './words.ts'

/** Buttons of which one chooses: those of one option, such as its sizes. */
interface OptionButtons {
  /** The text before them names an option. */
  isNamed: boolean
  buttons: PageNode[]
}

const isButton = ({ role }: PageNode) => role === 'button'

/**
 * The buttons in a part of a page that stand together with nothing between them, and whose names
 * are as short as those of variants.
 */
function optionButtons(tree: PageTree, part: readonly PageNode[]): OptionButtons[] {
  const found: OptionButtons[] = []
  let open: OptionButtons | null = null
  let text = ''
  for (const node of part) {
    if (isButton(node) && /^[\p{L}\d].{0,19}$/u.test(node.name)) {
      if (open === null) {
        open = { isNamed: OPTION_LABEL.test(text.toLowerCase().trim()), buttons: [] }
        found.push(open)
      }
      open.buttons.push(node)
    } else if (/^(?:StaticText|heading|image)$/.test(node.role)) {
      // What a button says is in it as a text once more.
      if (ancestorsOf(tree, node).some(isButton)) continue
      if (node.role !== 'image') text = node.name
      open = null
    } else if (isButton(node)) open = null
  }
  return found
}

/**
 * A button that chooses a variant, of an option of which none was chosen yet. `byName`: only of one
 * that a text names.
 */
export const openOption = (
  tree: PageTree,
  part: readonly PageNode[],
  isTried: (node: PageNode) => boolean,
  byName: boolean,
): PageNode | undefined =>
  optionButtons(tree, part)
    .filter(
      ({ isNamed, buttons }) =>
        (isNamed || !byName) && !buttons.some((node) => node.pressed === true || isTried(node)),
    )
    .flatMap(({ buttons }) => buttons.find(({ disabled }) => !disabled) ?? [])[0]
