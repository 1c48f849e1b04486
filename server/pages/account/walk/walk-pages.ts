import type { Context } from 'hono'
import type { IntentId, WalkMode } from '../../../../shared/walk/intents.ts'
import type { Transcript } from '../../../../shared/walk/transcript.ts'
import type { Share } from '../../../db/access/shares.ts'
import type { ServerEnv } from '../../../http/env.ts'
import type { ExportQuery } from '../../../routes/walk/export.ts'

/** A walk as it is stored, with what is seen of it by now. */
export interface FoundWalk {
  /** False also where it was broken off, so that its transcript has no end. */
  isUnderWay: boolean
  transcript: Transcript
}

/** One line in the list of a domain's walks. Times are ISO 8601. */
export interface PastWalk {
  id: string
  mode: WalkMode
  /** When it was asked for. */
  asked_at: string
  isUnderWay: boolean
}

/** What somebody asks for in the form. Tokens and key are handed on, and kept nowhere. */
export interface WalkWish {
  domain: string
  intents: readonly IntentId[]
  mode: WalkMode
  tokens?: { good: string; declined?: string | undefined; challenged?: string | undefined }
  agentKey?: string
}

/** Which walk. */
export type WalkPlace = { domain: string; id: string }

/** The walks of the service, as its pages need them. */
export interface WalkPages {
  /** Null for an id that is not one of a walk of what a key for these domains covers. */
  findWalk: (id: string, domains: readonly string[]) => Promise<FoundWalk | null>
  /** The newest first. */
  listWalks: (domain: string) => Promise<PastWalk[]>
  /**
   * Starts a walk, and answers when it is accepted. Throws what `POST /api/walk` answers
   * (`ApiError`): 403 where the key may not, 409 while one of the domain is under way, 422, 429.
   */
  startWalk: (c: Context<ServerEnv>, wish: WalkWish) => Promise<{ id: string }>
  /** Ends a walk early: what it opened is cancelled. Nothing happens to one that has ended. */
  stopWalk: (walk: WalkPlace, signal: AbortSignal) => Promise<void>
  /** Answers as `GET /api/walk/<id>/events`: each event under its name, with its number as id. */
  streamWalk: (c: Context<ServerEnv>, walk: WalkPlace) => Promise<Response>
  /** The active links to a walk, newest first. */
  listLinks: (domain: string, id: string) => Promise<Share[]>
  /** Answers with the walk as a file. */
  saveWalk: (c: Context<ServerEnv>, transcript: Transcript, form: ExportQuery) => Response
}
