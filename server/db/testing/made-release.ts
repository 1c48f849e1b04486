import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import type { MigrationSet } from '../schema/migrations.ts'

/** A made-up release's migrations, of which the n-th was generated at the instant n. */
export async function releaseOf(...texts: string[]): Promise<MigrationSet> {
  const folder = await mkdtemp(join(inject('runFolder'), 'migrations-'))
  await mkdir(join(folder, 'meta'))
  const entries = texts.map((_, idx) => ({ idx, tag: `000${idx}_m${idx}`, when: idx + 1 }))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  for (const [n, text] of texts.entries()) await writeFile(join(folder, `000${n}_m${n}.sql`), text)
  return {
    folder: pathToFileURL(`${folder}/`),
    table: 'test_migrations',
    command: 'aisle db migrate',
  }
}

export const FIRST = 'create table goods (id int primary key, name text)'
export const COLUMN = '-- expand\nALTER TABLE "goods" ADD COLUMN "price" int;'
export const INDEX =
  '-- index\nCREATE INDEX CONCURRENTLY "goods_name" ON "goods" USING btree ("name");'
export const CONTRACT = '-- contract: serves 0001_m1\nALTER TABLE "goods" DROP COLUMN "name";'
