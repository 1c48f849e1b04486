import type { Scope } from '../../db/access/scopes.ts'
import { curlOf, type ExampleValues, thingsOf } from './curl.ts'
import type { ApiGroup } from './operations.ts'

/**
 * The first call that a key with these scopes may make without knowing an id, as lines for a shell.
 */
export function firstCallOf(
  groups: readonly ApiGroup[],
  scopes: readonly Scope[],
  values: ExampleValues,
  service: { baseUrl: string; now: Date },
): string | null {
  const has = (scope: string) => scopes.some((each) => each === scope)
  const first = groups
    .flatMap(({ operations }) => operations)
    .find(
      (operation) => operation.scopes[0]?.every(has) === true && thingsOf(operation).length === 0,
    )
  return first === undefined
    ? null
    : curlOf(first, first.body?.examples[0]?.text ?? null, values, service)
}
