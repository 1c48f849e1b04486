import * as z from 'zod'

/** What a key may do; each route names the one that it asks for. */
export const SCOPES = ['audit', 'manifest', 'report:read', 'report:write', 'walk'] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>
