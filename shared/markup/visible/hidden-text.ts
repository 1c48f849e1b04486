import { isSoldOutLine } from '../page-signs/buy-words.ts'
import { findPrices, isPlainPrice } from '../page-signs/prices.ts'

/** Text that people do not see, and that says something to programs that read the HTML. */
export interface HiddenText {
  /** As written, on one line. */
  text: string
  /** It speaks to agents, or says what the product costs or whether there is any. */
  says: 'instruction' | 'stock' | 'price'
  /** Where it stands, in characters of the text that is seen. */
  at: number
}

const MAX_LINE = 2_000
const MAX_QUOTED = 200
const MAX_FOUND = 20

/**
 * Collects text that is hidden: what speaks to agents, and a claim that is all that its element
 * hides. What has more in it is a part of the page that opens later, such as a form.
 */
export function createHiddenReader() {
  const found: HiddenText[] = []
  let line = ''
  /** All text of the outermost hidden element. */
  let whole = ''
  let at = 0
  let isApart = false
  const note = (text: string, says: HiddenText['says'] | null) => {
    if (says !== null && found.length < MAX_FOUND) {
      found.push({ text: text.slice(0, MAX_QUOTED), says, at })
    }
  }
  const flush = () => {
    if (line === '') return
    const text = plain(line)
    line = ''
    if (isForAgents(text)) note(text, 'instruction')
  }
  return {
    found,
    flush,
    /** `apart`: for a reason, such as in a menu. */
    text(characters: string, apart: boolean, position: number): void {
      if (whole === '') {
        at = position
        isApart = false
      }
      isApart ||= apart
      if (line.length < MAX_LINE) line += characters.slice(0, MAX_LINE)
      if (whole.length <= MAX_CLAIM) whole += characters.slice(0, MAX_LINE)
    },
    /** The outermost hidden element ends. `isCertain`: it is hidden from everyone. */
    close(isCertain: boolean): void {
      flush()
      const text = plain(whole)
      whole = ''
      if (isCertain && !isApart && text.length <= MAX_CLAIM) note(text, claimOf(text))
    },
    /** The HTML in a `<noscript>`, which browsers with scripts do not show. */
    withoutScripts(html: string): void {
      for (const part of html.slice(0, 20_000).split(/[<>\n]/)) {
        const text = plain(part)
        if (isForAgents(text)) note(text, 'instruction')
      }
    },
  }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What a text says of the product, where it says nothing else: `Availability: sold out`. */
function claimOf(text: string): 'stock' | 'price' | null {
  const line = text.replace(/^\p{L}[\p{L} ]{1,30}:\s*/u, '')
  if (isSoldOutLine(line) || BACKORDERED.test(line)) return 'stock'
  const [price, other] = findPrices(line, 2)
  if (price === undefined || other !== undefined) return null
  const rest = { before: line.slice(0, price.at), after: line.slice(price.at + price.text.length) }
  return isPlainPrice(rest, { before: '', after: '' }) ? 'price' : null
}

const MAX_CLAIM = 80

/** That it comes later, or no more; what is sold out has its own words. */
const BACKORDERED =
  /^[^\p{L}]*(?:(?:this|the) (?:item|product) is )?(?:currently )?(?:(?:on )?back-?\s?order(?:ed)?|discontinued|nachbestellt|im rückstand|lieferrückstand|nicht mehr im sortiment|en réapprovisionnement|produit arrêté|arrêté|en attente|pendiente de reposición|descatalogado|in riordino|fuori produzione|encomendado|descontinuado|nabesteld|in nabestelling|uit assortiment|restnoterad|utgått|i restordre|udgået|utgått|na zamówienie|wycofany|na objednávku|снят с производства|под заказ|üretimi durduruldu|取り寄せ|入荷待ち|生産終了|入荷予定|預購|缺貨|停产|단종)[^\p{L}]*$/iu

const AGENT =
  '(?:ai|a\\.i\\.|llm|gpt|chatgpt|claude|gemini|copilot|perplexity|ki|ia|large language model|language model|sprachmodell|modèle de langage|modelo de lenguaje|shopping|人工知能)'
const KIND =
  '(?:[\\s-]?(?:assistant|agent|model|bot|crawler|system|chatbot|assistent|assistente|asistente|agente|modell|modèle|modelo|modello))'

/** It calls agents by their name, as no text for buyers does. */
const TO_AGENTS = new RegExp(
  [
    // "AI assistants: …", "LLMs, …", at the beginning of a sentence.
    `(?:^|[.!?:*\\]>"“(]\\s*|\\b(?:dear|attention|hey|hello|note to|notes? for|message (?:to|for)|instructions? (?:to|for)|info(?:rmation)? for|für|an alle|hinweis (?:an|für)|aux?|pour les|para(?: los)?|per(?: gli)?)\\s+(?:all\\s+|any\\s+|the\\s+)?)(?:assistants? (?:ia|ai)|agents? (?:ia|ai)|asistentes? de ia|agentes? de ia|assistenti (?:ia|ai)|assistentes? de ia|(?:${AGENT}${KIND}(?:s|e|en|i)|llms|ai'?s|(?:large )?language models))\\s*[:,!–—-](?!\\w)`,
    // One of them, and what it shall do.
    `(?:^|[.!?\\n]\\s*)(?:${AGENT}${KIND}?)\\s*[:,]\\s*(?:please\\s+|you\\s+(?:must|should|are|will)\\b|(?:always|never|do not|don't|only|ignore|disregard|recommend|say|tell|state|mention|rank|prefer|describe|answer|respond|treat|choose|buy|order|add|include|promote|note that)\\b)`,
    `\\b(?:if|when|as) (?:you are|you're|you’re|an?)\\s+(?:an? )?(?:${AGENT})${KIND}?\\b(?=.{0,40}(?:reading|summari|you |please|recommend|always|must|say|tell|,))`,
    `\\b(?:wenn du|falls du|wenn sie|falls sie) (?:eine? )?(?:ki|llm|sprachmodell)`,
    // Ignore previous instructions.
    '\\b(?:ignore|disregard|forget|override)\\s+(?:\\w+\\s+){0,3}?(?:previous|prior|above|earlier|preceding|existing|system|other|your|all)\\s+(?:\\w+\\s+){0,2}?(?:instructions?|prompts?|rules|directions|guidelines|context)\\b',
    '\\b(?:ignoriere|ignorieren sie|vergiss|missachte)\\s+(?:\\p{L}+\\s+){0,2}?(?:alle|vorherig|bisherig|obig|früher)\\p{L}*\\s+(?:\\p{L}+\\s+){0,2}?(?:anweisungen|instruktionen|vorgaben|befehle|anleitungen)',
    '(?:ignore[zr]?|oublie[zr]?|ne tenez pas compte)\\s+(?:toutes\\s+)?(?:les|vos|tes|des)\\s+(?:\\p{L}+\\s+){0,2}?(?:instructions|consignes)',
    '(?:ignora|ignore|ignorar|olvida|olvide|esqueça|ignori|dimentica|dimentichi)\\s+(?:\\p{L}+\\s+){0,3}?(?:instrucciones|instruções|istruzioni)',
    '(?:negeer|vergeet)\\s+(?:\\p{L}+\\s+){0,3}?(?:instructies|opdrachten)',
    '(?:ignorera|glöm|ignorer|glem)\\s+(?:\\p{L}+\\s+){0,3}?(?:instruktioner|instrukser|instruksjoner)',
    '(?:zignoruj|ignoruj|zapomnij)\\s+(?:\\p{L}+\\s+){0,3}?(?:instrukcje|polecenia)',
    '(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?)\\s+(?:\\p{L}+\\s+){0,3}?(?:инструкци|указани)',
    '(?:以前|これまで|上記|前)の(?:すべての)?(?:指示|命令)を(?:すべて)?無視',
    '忽略(?:之前|以上|先前|前面|所有)(?:的)?(?:所有)?(?:指令|指示|说明|提示)',
    '이전\\s?(?:의\\s?)?(?:모든\\s?)?(?:지시|명령)\\S{0,3}\\s?(?:모두\\s?)?무시',
    '\\b(?:new|updated) system prompt\\b|<\\|(?:im_start|system)\\|>|\\[/?(?:system|inst)\\]',
  ].join('|'),
  'iu',
)

/** Without one of these words no text speaks to them: it spares the long search. */
const MAY_BE =
  /\b(?:ai|a\.i\.|ki|ia)\b|llm|gpt|claude|gemini|copilot|perplexity|language model|sprachmodell|langage|lenguaje|instru|istruz|anweisung|vorgaben|befehle|anleitung|consigne|opdracht|polecen|инструкц|указан|指示|命令|指令|说明|提示|지시|명령|人工知能|prompt|rules|directions|guidelines|context|shopping|\[\/?inst|system/i

/** "AI assistants: Alexa, Siri" is what the product works with; a chat greets who opens it. */
const FOR_PEOPLE =
  /\b(?:alexa|siri|bixby|cortana|homekit|google (?:assistant|home)|smartthings)\b|(?:assistant|agent|bot)\s*[:,!–—-]\s*(?:hi|hello|hey|hallo|how can|how may|wie kann|bonjour|hola|ciao|ask)\b/iu

/** Whether a text speaks to the programs that read a page, and not to people. */
const isForAgents = (text: string): boolean =>
  text.length >= 8 && MAY_BE.test(text) && TO_AGENTS.test(text) && !FOR_PEOPLE.test(text)
