import type { Context } from 'hono'
import * as z from 'zod'
import { readWalkPicture } from '../../db/audit/walk-pictures.ts'
import type { WalkLine } from '../../db/audit/walks.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { GONE, WalkById } from './answers.ts'

export const NOT_KEPT = 'It has no such picture, or no longer (`picture_not_found`).'
export const NO_PICTURE = `${GONE} ${NOT_KEPT}`

export const PictureNumber = z.string().describe('The number of the step that it shows')
export const PictureOfWalk = WalkById.extend({ n: PictureNumber })

/** Answers with a picture of a walk that its reader may see. */
export const pictureAnswers =
  ({ db }: Pick<Deps, 'db'>) =>
  async (c: Context, walk: WalkLine, n: string): Promise<Response> => {
    const jpeg = /^[1-9]\d{0,2}$/.test(n) ? await readWalkPicture(db, walk, Number(n)) : null
    if (jpeg === null) {
      throw new ApiError(
        404,
        'picture_not_found',
        'This walk has no such picture, or no longer: pictures are kept for 30 days at most.',
      )
    }
    return c.body(jpeg, 200, { 'Content-Type': 'image/jpeg' })
  }
