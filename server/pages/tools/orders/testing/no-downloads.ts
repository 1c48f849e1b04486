import { DOWNLOADS, type RecipeFiles } from '../recipe-files.ts'

/** For tests that no bundle comes before. */
export const NO_DOWNLOADS = Object.fromEntries(
  DOWNLOADS.map((name) => [name, new Uint8Array()]),
) as RecipeFiles['downloads']
