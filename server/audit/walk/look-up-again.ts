import { formatMoney } from '../../../shared/commerce/product.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import { type Good, goodsOf, itemOf } from '../../../shared/walk/goods.ts'
import { beginStep, type StepNotes } from '../../../shared/walk/step-notes.ts'
import type { Exchange, WalkStep } from '../../../shared/walk/transcript.ts'
import { describeFetch } from '../../../shared/web/http/fetched.ts'
import type { AskedAgain, OpenCatalog } from '../probe/catalog.ts'

/** Asks for one of the goods by its id: all that a catalog says of it must be the same. */
export async function lookUpAgain(
  dialect: WalkDialect,
  good: Good,
  { again, taken }: { again: NonNullable<OpenCatalog['again']>; taken: () => Exchange[] },
): Promise<WalkStep> {
  const notes = beginStep(dialect, { n: 2, step: 'find', title: `Looks up ${good.name} again` })
  const said = await again(itemOf(good))
  notes.exchanged(taken())
  for (const each of said) judge(good, each, notes)
  return notes.done()
}

function judge(good: Good, { name, seen, products }: AskedAgain, notes: StepNotes): void {
  if (products === null) {
    // Who does not answer, or not us, says nothing else.
    notes.conclude(`${name} says nothing of it: ${describeFetch(seen.fetched)}.`)
    return
  }
  const same = goodsOf(products.map((product) => ({ product }))).find(
    (each) => itemOf(each) === itemOf(good),
  )
  const differs =
    same === undefined ? { field: 'id', found: 'does not have it' } : differenceOf(good, same)
  if (differs === null) notes.hold('catalog_agrees')
  else {
    const field = `products[].variants[].${differs.field}`
    notes.fail('catalog_agrees', `${name} ${differs.found}.`, { field })
  }
}

function differenceOf(listed: Good, again: Good): { field: string; found: string } | null {
  const [one, two] = [listed.price, again.price].map((price) => price && formatMoney(price))
  if (one && two && one !== two) {
    return { field: 'price', found: `says ${two}, where the list says ${one}` }
  }
  const [was, is] = [listed.availability, again.availability]
  return was !== null && is !== null && was !== is
    ? { field: 'availability', found: `calls it ${is}, where the list calls it ${was}` }
    : null
}
