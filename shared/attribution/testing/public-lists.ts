/**
 * Hosts in public lists of AI referrers, as of the day they were read. A pattern such as
 * `(?:\w+\.)?mistral\.ai` is the host that it means. Lists that repeat another one are left out.
 */
export const PUBLIC_LISTS: Readonly<Record<string, readonly string[]>> = {
  // github.com/matomo-org/searchengine-and-social-list, AIAssistants.yml, 2026-07-15
  matomo: words`yiyan.baidu.com ai.baidu.com chatplus.com chat-gpt.org chatgpt.com chat.openai.com
    labs.openai.com claude.ai copilot.microsoft.com chatglm.cn chat.deepseek.com duck.ai
    gemini.google.com bard.google.com grok.com iask.ai app.jasper.ai chat.mistral.ai meta.ai
    notebooklm.google.com perplexity.ai chat.qwen.ai app.writesonic.com you.com`,
  // github.com/snowplow-referer-parser/referer-parser, referers.yml, 2025-11-25
  snowplow: words`character.ai beta.character.ai chatgpt.com chat.openai.com claude.ai
    gemini.google.com meta.ai copilot.microsoft.com chat.mistral.ai perplexity.ai poe.com`,
  // github.com/rybbit-io/rybbit, shared/src/aiOperators.ts, 2026-09
  rybbit: words`chatgpt.com chat.openai.com claude.ai gemini.google.com aistudio.google.com
    notebooklm.google.com copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft
    edgeservices.bing.com perplexity.ai meta.ai chat.mistral.ai mistral.ai grok.com you.com duck.ai
    cursor.com coral.cohere.com manus.im doubao.com deepseek.com chat.deepseek.com poe.com pi.ai
    heypi.com character.ai qwen.ai jasper.ai writesonic.com chatsonic.com phind.com andi.com
    codeium.com kimi.com kimi.moonshot.cn chat.qwen.ai chat.z.ai chatglm.cn yuanbao.tencent.com
    genspark.ai t3.chat`,
  // github.com/iannuttall/seo, packages/core/src/analyze/ai-referrals-sources.ts, 2026-08-18
  seo: words`chatgpt.com chat.openai.com perplexity.ai claude.ai gemini.google.com bard.google.com
    copilot.com copilot.microsoft.com grok.com chat.deepseek.com meta.ai you.com poe.com phind.com
    chat.mistral.ai notebooklm.google.com`,
  // github.com/kostja94/marketing-skills, skills/analytics/ai-traffic/SKILL.md, read 2026-11
  ga4_skill: words`chatgpt.com openai.com perplexity.ai doubao.com chat.qwen.ai
    copilot.microsoft.com copilot.com chat.deepseek.com deepseek.com poe.com anthropic.com claude.ai
    bard.google.com edgeservices.bing.com business.gemini.google gemini.google`,
  // gist.github.com/tuhin-gtm-analytics/c1f4ce0deb9c41b7aff560cc7f9d0ab7, 2026-02-03, as far as
  // stored
  ga4_regex: words`chatgpt.com chat.openai.com gemini.google.com deepseek.com perplexity.ai claude.ai
    copilot.microsoft.com character.ai meta.ai grok.x.com grok.com x.ai bard.google.com mistral.ai
    writesonic.com quillbot.com chat-gpt.org iask.ai copy.ai blackbox.ai cohere.ai anthropic.com
    ai.baidu.com huggingchat.com felo.ai chat.qwen.ai chatglm.cn`,
  // maxaeo.ai/blog/ai-referral-traffic-ga4, read 2026-11
  maxaeo: words`chatgpt.com chat.openai.com perplexity.ai gemini.google.com bard.google.com
    copilot.microsoft.com edgeservices.bing.com claude.ai grok.com x.ai`,
  // github.com/loamly/loamly, packages/tracker/src/config.ts, 2026-01-02
  loamly: words`chatgpt.com chat.openai.com claude.ai perplexity.ai bard.google.com
    gemini.google.com copilot.microsoft.com you.com phind.com poe.com`,
  // github.com/AdobeDocs/analytics-platform.en, help/use-cases/ai-traffic.md, 2025-08
  adobe: words`chatgpt.com claude.ai gemini.google.com copilot.microsoft.com m365.cloud.microsoft
    perplexity.ai meta.ai`,
  // github.com/PostHog/posthog/pull/69771, 2026-07-09
  posthog: words`chatgpt.com chat.openai.com claude.ai gemini.google.com copilot.microsoft.com
    grok.com chat.deepseek.com deepseek.com`,
  // github.com/hashbookies/gtm-visible-ai-referral-classifier, template.tpl, read 2026-11
  gtm_template: words`chatgpt.com chat.openai.com searchgpt.com perplexity.ai claude.ai
    gemini.google.com bard.google.com copilot.microsoft.com edgeservices.bing.com copilot.azure.com
    chat.deepseek.com deepseek.com grok.com meta.ai poe.com kagi.com you.com chat.mistral.ai
    mistral.ai phind.com search.brave.com pi.ai heypi.com huggingface.co character.ai jasper.ai
    copy.ai app.copy.ai writesonic.com app.writesonic.com quillbot.com blackbox.ai iask.ai waldo.fyi
    exa.ai andisearch.com notion.so notion.com consensus.app komo.ai notebooklm.google.com
    duckduckgo.com duck.ai openai.com anthropic.com aitastic.app deepl.com liner.ai wrtn.ai
    tavily.com chat-gpt.org neeva.com felo.ai coze.com venice.ai sider.ai openrouter.ai lmarena.ai
    chat.qwen.ai qwenlm.ai my-ai.snapchat.com reka.ai cohere.ai forefront.ai ai21.com`,
  // github.com/Openpanel-dev/openpanel, packages/common/server/referrers, 2026-08-22
  openpanel: words`aistudio.google.com anthropic.com bard.google.com character.ai chat.com
    chat.deepseek.com chat.mistral.ai chatglm.cn chatgpt.com claude.ai codeium.com cohere.com
    copilot.cloud.microsoft copilot.microsoft.com deepseek.com doubao.com gemini.google.com grok.com
    hf.co huggingface.co inflection.ai kimi.moonshot.cn labs.google.com meta.ai mistral.ai
    moonshot.ai openai.com perplexity.ai phind.com pi.ai poe.com tongyi.aliyun.com x.ai
    yiyan.baidu.com you.com`,
  // github.com/pirsch-analytics/pirsch, pkg/ingest/channel/list.go, 2026-06-24
  pirsch: words`chatgpt.com perplexity.ai openai.com anthropic.com bard.google.com cohere.com
    meta.ai ai.meta.com jasper.ai mistral.ai gemini.google.com copilot.microsoft.com m365copilot.com
    m365.cloud.microsoft copilot.cloud.microsoft edgeservices.bing.com`,
  // github.com/adobe/spacecat-audit-worker, src/cdn-logs-report/sql, 2026-08-22
  spacecat: words`chatgpt.com openai.com claude.ai perplexity.ai gemini.google.com
    copilot.microsoft.com m365.cloud.microsoft meta.ai deepseek.com mistral.ai`,
  // github.com/Swetrix/swetrix, web/app/referrers.map.json, 2026-08-07
  swetrix: words`chatgpt.com openai.com claude.ai copilot.microsoft.com gemini.google.com
    perplexity.ai kagi.com`,
}

/**
 * Sites of companies whose assistant has another host. Links from there are in a blog, a customer
 * story or documentation; Matomo's review of such lists calls them "corporate site only"
 * (github.com/matomo-org/searchengine-and-social-list/issues/122). So are tools to write and to
 * program with, which link to no shops, and a search engine.
 */
export const COMPANY_SITES = words`anthropic.com mistral.ai writesonic.com openai.com cohere.com
  cohere.ai jasper.ai huggingface.co codeium.com quillbot.com copy.ai blackbox.ai kagi.com`

/** Other hosts below that of an assistant: documentation, status pages, help. */
export const COMPANY_PAGES = words`docs.perplexity.ai status.perplexity.ai api-docs.deepseek.com
  platform.deepseek.com status.deepseek.com platform.kimi.com help.manus.im creator.poe.com
  help.poe.com blog.character.ai support.character.ai dev.meta.ai docs.x.ai console.x.ai status.x.ai
  about.you.com api.you.com`

/**
 * How a `utm_source` names an assistant, in the forms that were seen and that the API's users ask
 * for.
 */
export const AI_SOURCES = words`chatgpt.com chatgpt openai perplexity perplexity.ai gemini
  gemini.google.com copilot copilot.com copilot.microsoft.com claude claude.ai grok grok.com deepseek
  meta.ai https://chatgpt.com/ https://chatgpt.com http://chatgpt.com/ https://www.perplexity.ai/
  https://www.perplexity.ai/search/boots www.perplexity.ai www.chatgpt.com https://claude.ai/
  https://gemini.google.com/app https://copilot.microsoft.com/ www.meta.ai https://chat.deepseek.com/
  https://chat.openai.com/`

/** Hosts with `gpt`, `ai`, `claude`, `chat`, `gemini`, `you` or `copilot` in an ordinary name. */
export const INNOCENT_HOSTS = [
  ...words`about-you.com www.aboutyou.de bayou.com thankyou.com you.com.example youtube.com
    claude-monet.example claudemonet.org jeanclaude.fr claudepierlot.com claude.example
    gemini-jewelry.example geminirings.com gemini.com zodiac-gemini.shop chat.example chat.shop.example
    livechat.com snapchat.com chatbooks.com wechat.com gptgroup.com.au egpt.example airbnb.com
    aidshop.org maid.example aigner.de ai.example kai.com thai.example baidu.com copilot-bags.example
    copilotcases.com githubcopilot.example poetry.org tempoe.com pihole.net pi.hole phindustries.example
    grokking.org grok.example qwen.example manus.com manusbio.com metaai.example perplexity.example
    perplexitygames.com deepseekers.org felon.example genspark.org character.com jasper-shop.example
    mistral-wind.fr hotelmistral.com duckduckgo.com duck.com kagi.com search.brave.com bing.com
    google.com www.google.co.uk openai.com anthropic.com huggingface.co x.com t.co github.com
    chatgpt.com.evil.example notclaude.ai claude.ai.example mychatgpt.com`,
]

/** Sources that are a newsletter, a name or a product. */
export const INNOCENT_SOURCES = [
  ...words`copilot-newsletter claude-monet jean-claude gemini-rings gemini_zodiac aboutyou about-you
    you poe pi mailchimp klaviyo gmail github youtube snapchat retailmenot poetry tailwind campaign
    email airmail chatbot-shop chatgpt-course ai ai-webinar aigner https://about-you.com/
    https://www.google.com/ www.bing.com https://claude-monet.example/ https://chat.example/
    https://gemini.com/ https://chatgpt.com.evil.example/ https://chatgpt.com@evil.example/
    https://evil.example/chatgpt.com www.claude.example chatgpt.com-newsletter gemini/rings`,
  'Claude Dupont',
  'Gemini Jewelry',
]

/**
 * Mediums of a merchant's other channels; next to them, a source that names an assistant does not
 * count.
 */
export const OTHER_MEDIUMS = words`email newsletter social cpc display affiliate sms push paid_social`

function words(text: TemplateStringsArray): readonly string[] {
  return text.join('').trim().split(/\s+/)
}
