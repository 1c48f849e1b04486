import type { GapDocs } from '../../../gap-doc.ts'

/** The same caution on each page: what we can see from outside, and what only the owner can. */
const FROM_HERE =
  "We ask under the agent's name, but from our own network. A firewall that knows agents by their address refuses us on purpose and lets them in, so look in its log before you change anything."

/** Data: the pages of the gaps about what the store answers to AI agents. */
export const accessDocs: GapDocs = {
  agents_refused_despite_robots: {
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
}
