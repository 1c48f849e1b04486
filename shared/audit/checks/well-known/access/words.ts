import type { RuleWords } from '../../../rule-words.ts'

/** The same caution on each page: what we can see from outside, and what only the owner can. */
const LOOK_FIRST =
  'First look in the log of your firewall or CDN for requests of these agents from their own addresses. If they get the page, nothing needs to change. If not,'

const FROM_HERE =
  "We ask under the agent's name, but from our own network. A firewall that knows agents by their address refuses us on purpose and lets them in, so look in its log before you change anything."

/** Data: the words of the rules on what the store answers to AI agents. */
export const accessWords = {
  agents_refused_despite_robots: {
    passed: 'agents_admitted_as_robots_says',
    severity: 'high',
    label: 'robots.txt allows AI agents, but the server refuses them',
    fix: `${LOOK_FIRST} let them through: the block is in the firewall, the CDN or a plugin, not in robots.txt. If you mean to keep them out, say so in robots.txt.`,
    passes: 'The server lets in the agents that robots.txt lets in',
    meaning: `robots.txt lets an agent read the page, and the server answers its name with a refusal, while a browser, a robot without a known name and search engines get the page. ${FROM_HERE}`,
    why: 'An agent that fetches pages for a shopper cannot read the product, and recommends another store. Because robots.txt says yes, the block in the firewall is easily overlooked.',
    language: 'text',
    before: `# robots.txt
User-agent: *
Allow: /

# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; ChatGPT-User/1.0       403, 1,204 bytes`,
    after: `# robots.txt
User-agent: *
Allow: /

# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; ChatGPT-User/1.0       200, 48,120 bytes`,
  },
  agents_refused: {
    passed: 'agents_admitted',
    severity: 'high',
    label: 'The server refuses AI agents',
    fix: `${LOOK_FIRST} let them through: the block is in the firewall, the CDN or a plugin.`,
    passes: 'The server lets AI agents in',
    meaning: `The server answers the name of an agent that acts for a shopper with a refusal, while a browser, a robot without a known name and search engines get the page. There is no robots.txt that says what the store wants. ${FROM_HERE}`,
    why: 'The agent cannot read the product that the shopper asks about, and recommends another store.',
    language: 'text',
    before: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; Claude-User/1.0        403, 1,204 bytes`,
    after: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; Claude-User/1.0        200, 48,120 bytes`,
  },
  agents_challenged: {
    passed: 'agents_not_challenged',
    severity: 'high',
    label: 'AI agents get a bot challenge instead of the page',
    fix: `${LOOK_FIRST} add a rule that skips the challenge for them.`,
    passes: 'AI agents see the page, not a bot challenge',
    meaning: `Under the name of an agent that acts for a shopper, the server sends a CAPTCHA or a script that checks for a browser. A browser, a robot without a known name and search engines get the page. ${FROM_HERE}`,
    why: 'An agent that fetches pages runs no scripts and solves no puzzles, so for it the challenge is a refusal.',
    language: 'text',
    before: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; Perplexity-User/1.0    403, cf-mitigated: challenge`,
    after: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; Perplexity-User/1.0    200, 48,120 bytes`,
  },
  agents_get_less: {
    passed: 'agents_get_the_same',
    severity: 'high',
    label: 'AI agents get another page than shoppers do',
    fix: 'Send everyone the same page: look for a plugin, a cache or a rule that chooses by User-Agent.',
    passes: 'AI agents see the same page as shoppers',
    meaning:
      'Under the name of an agent that acts for a shopper, the page comes without its product markup, with another price, or with less than a third of its text. The agent was asked twice and a browser before and after it, so chance and A/B tests are ruled out as far as possible.',
    why: 'The agent tells the shopper what it has read: no price, or a price that the shopper will not find on the page.',
    language: 'text',
    before: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       product "Fell Boot", 189.00 USD
… compatible; ChatGPT-User/1.0       no product markup, no price`,
    after: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       product "Fell Boot", 189.00 USD
… compatible; ChatGPT-User/1.0       product "Fell Boot", 189.00 USD`,
  },
  ai_search_kept_out: {
    passed: 'ai_search_admitted',
    severity: 'medium',
    label: 'Crawlers of AI search do not get the page',
    fix: `${LOOK_FIRST} send them the page that a browser gets. Crawlers that only train models may stay blocked.`,
    passes: 'Crawlers of AI search get your pages',
    meaning: `Under the name of a crawler that builds the index of an AI search, the server refuses the page, sends a challenge, or sends less than a browser gets. Crawlers that only train models are not asked for. ${FROM_HERE}`,
    why: 'Answers are written from what the index holds. A store that is not in it is found only by shoppers who already know its name.',
    language: 'text',
    before: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; OAI-SearchBot/1.4      403, 1,204 bytes`,
    after: `# the same page, by User-Agent
Mozilla/5.0 … Chrome/142.0.0.0       200, 48,120 bytes
… compatible; OAI-SearchBot/1.4      200, 48,120 bytes`,
  },
} satisfies RuleWords
