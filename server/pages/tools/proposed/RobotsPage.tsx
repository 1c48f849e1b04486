import type { JSX } from 'preact'
import { Link } from '../../site.tsx'
import { FromShop } from './FromShop.tsx'
import type { MadeFromShop } from './make-proposal.ts'

/** A robots.txt that lets AI agents in, made from the one that is there. */
export const RobotsPage = ({ made }: { made: MadeFromShop | null }): JSX.Element => (
  <>
    <h1>Let AI agents in</h1>
    <p class="lead">
      The file at /robots.txt says which programs may read a store. Here is yours with the AI agents
      that it keeps out let in; all else stays as it is.
    </p>
    <FromShop made={made}>
      {made === null && (
        <form method="get" class="inline-form">
          <label for="domain">Domain</label>
          <input id="domain" name="domain" required maxLength={2000} autocomplete="off" />
          <button type="submit" class="button button-primary">
            Make the file
          </button>
        </form>
      )}
    </FromShop>
    <p>
      <Link to="/gaps/robots_blocks_ai_agents">Which agents these are, and what each does</Link>
    </p>
  </>
)
