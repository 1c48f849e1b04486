import type { ISql } from 'postgres'

/** Makes a new database one that a build until 0.1.0 has made, as far as the form of keys goes. */
export async function keepTexts(sql: ISql): Promise<void> {
  await sql`alter table event_keys drop constraint event_keys_short`
  await sql`alter table ai_sessions drop constraint ai_sessions_short`
}
